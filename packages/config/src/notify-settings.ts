import { defineConfig, setting } from './setting.ts';

/** Settings of channels, for the gateway and the webhook-notifier. */
export const NOTIFY_SETTINGS = defineConfig({
  SMTP_URL: {
    type: setting.url({
      protocols: ['smtp:', 'smtps:'],
      example: 'smtps://user:password@mail.example.com:465',
    }),
    default: undefined,
    meaning: 'Mail server that sends the messages of email channels; without it there are none.',
    isSecret: true,
  },
  SMTP_FROM: {
    type: setting.text,
    default: 'Gleaner <gleaner@localhost>',
    meaning: 'Sender of emails.',
  },
  NOTIFY_EMAIL_DOMAINS: {
    type: setting.list,
    default: [],
    meaning: 'Domains that emails may be sent to, such as example.com; without any, all.',
  },
  APPRISE_URL: {
    type: setting.url({ protocols: ['http:', 'https:'], example: 'http://apprise:8000' }),
    default: undefined,
    meaning: 'Apprise API that sends the messages of apprise channels; without it there are none.',
    isSecret: true,
  },
});
