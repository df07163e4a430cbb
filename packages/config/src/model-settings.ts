import { defineConfig, setting } from './setting.ts';

/** Settings of the language model, for the gateway and the scraper. */
export const MODEL_SETTINGS = defineConfig({
  LLM_URL: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'https://llm.example.com/v1' }),
    default: undefined,
    meaning:
      'API of a language model for `extract` that speaks chat completions with a JSON schema, as OpenAI, vLLM and Ollama do. Without it, `extract` is refused. It may be a private address.',
  },
  LLM_MODEL: {
    type: setting.text,
    default: undefined,
    meaning: 'Name of the model at LLM_URL. Without it, `extract` is refused.',
  },
  LLM_CREDITS_PER_1K_TOKENS: {
    type: setting.number({ minimum: 0, maximum: 1000 }),
    default: 0,
    meaning: 'Credits for 1,000 tokens that the model reads or writes; 0 makes it free.',
  },
});
