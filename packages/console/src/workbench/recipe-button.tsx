import type { BodyOf, ScrapeRequest } from '@gleaner/client';
import { Button, Modal, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { gleaner } from '../api/gleaner.ts';
import { useChange } from '../api/use-change.ts';
import { CreateForm } from '../forms/create-form.tsx';
import { bindTo } from '../forms/problems.ts';
import type { Extracted } from './draft/fill.ts';
import type { KeptPage } from './page/keep-page.ts';

type NewRecipe = BodyOf<'createRecipe'>;

/** Parts of a recipe that the workbench has: the request, the page, and its values. */
interface RecipeParts {
  readonly request: ScrapeRequest;
  readonly page: KeptPage;
  readonly extracted: Extracted;
}

/** Saves the fields as a recipe, whose first test is the page with the values that it has now. */
export function RecipeButton({ isStale, ...parts }: RecipeParts & { readonly isStale: boolean }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" disabled={isStale} onClick={() => setOpen(true)}>
        Save as recipe
      </Button>
      {isOpen && <RecipeDialog {...parts} onClose={() => setOpen(false)} />}
    </>
  );
}

function RecipeDialog(props: RecipeParts & { onClose(): void }) {
  const { request, page, extracted, onClose } = props;
  const navigate = useNavigate();
  const [name, setName] = useState(() => URL.parse(page.finalUrl)?.host ?? '');
  const [pattern, setPattern] = useState(() => patternFor(page.finalUrl));
  const save = useChange({
    key: 'recipes',
    change: () => gleaner.recipes.create(recipeOf({ name, pattern }, { request, page, extracted })),
    onDone: () => navigate({ to: '/recipes' }),
  });
  const bind = bindTo(save.error);
  return (
    <Modal opened onClose={onClose} title="Save as recipe" size="lg">
      <CreateForm
        label="Save as recipe"
        submit="Save the recipe"
        look="dialog"
        create={save}
        isComplete={name.trim() !== ''}
      >
        <TextInput label="Name" {...bind('name', name, setName)} data-autofocus />
        <TextInput
          label="Pages"
          description="A pattern of URLs for recipe “auto”: * stands for any characters but /, ** for any at all. Without one, the recipe is used by its id."
          {...bind('match', pattern, setPattern)}
        />
        <p className="muted small">
          The page is its first test: it must have the values that it has now. Tests fetch nothing and cost
          nothing.
        </p>
      </CreateForm>
    </Modal>
  );
}

/** Returns a pattern of the pages beside one: its URL, of which the last part of the path may be any. */
function patternFor(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname.slice(0, pathname.lastIndexOf('/') + 1)}*`;
}

function recipeOf(
  { name, pattern }: { readonly name: string; readonly pattern: string },
  { request, page, extracted }: RecipeParts,
): NewRecipe {
  const { url: _url, ...options } = request;
  const { pathname = '/', search = '' } = URL.parse(page.finalUrl) ?? {};
  const test = {
    name: (pathname + search).slice(0, 200),
    snapshotId: page.snapshotId,
    expect: extracted.data ?? {},
    verdict: 'content',
  };
  const match = pattern.trim() === '' ? [] : [pattern.trim()];
  return { name: name.trim(), match, options, tests: [test] } as NewRecipe;
}
