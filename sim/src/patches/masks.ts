/** Mistakes about masks: what a schema, or a model on this side, may keep the process from. */
import type { Patch } from './patch.ts'

const MASKED = 'runtime/src/adapters/decoders/masked-provider.test.ts'
const ENGINE = 'runtime/src/adapters/decoders/xgrammar.test.ts'
const KEPT =
  'an engine keeps the grammars that were used last, and not every one that it was ever asked for'

export const MASKS_PATCHES: readonly Patch[] = [
  {
    name: 'mask-of-any-number-of-rules',
    test: {
      file: MASKED,
      title: 'no schema keeps the process from everything else while a mask is made of it',
    },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/ebnf-rules.ts',
        function: 'add',
        before: 'this.#rules.length >= RULES_MOST',
        after: 'this.#rules.length >= 16 * RULES_MOST',
      },
    ],
  },
  {
    name: 'mask-of-counts-inside-of-counts',
    test: {
      file: MASKED,
      title: 'no schema keeps the process from everything else while a mask is made of it',
    },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/pattern-ebnf.ts',
        function: '#weigh',
        before: '(this.#weight - before) * Math.max(1, times)',
        after: 'Math.max(1, times)',
      },
    ],
  },
  {
    name: 'mask-of-many-counts',
    test: {
      file: MASKED,
      title: 'no schema keeps the process from everything else while a mask is made of it',
    },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/ebnf-rules.ts',
        function: 'recordCount',
        before: 'this.#counted += characters',
        after: 'this.#counted = characters',
      },
    ],
  },
  {
    name: 'mask-without-turns',
    test: {
      file: MASKED,
      title:
        'a model that answers at once does not keep the process from everything else while it writes',
    },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/masked-provider.ts',
        function: 'writeDocument',
        before: 'await turn()',
        after: 'await null',
      },
    ],
  },
  {
    name: 'grammars-kept-without-end',
    test: { file: ENGINE, title: KEPT },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/compiled-grammars.ts',
        function: '#evict',
        before: 'this.#kept.size <= most',
        after: 'this.#kept.size <= 64 * most',
      },
    ],
  },
  {
    name: 'grammars-kept-by-the-library',
    test: { file: ENGINE, title: KEPT },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/xgrammar.ts',
        function: 'createXGrammarEngine',
        before: 'createGrammarCompiler(tokenizer, false)',
        after: 'createGrammarCompiler(tokenizer, true)',
      },
    ],
  },
]
