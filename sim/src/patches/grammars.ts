/** Mistakes about grammars: what they say, and who is believed to have kept to them. */
import type { Patch } from './patch.ts'

export const GRAMMARS_PATCHES: readonly Patch[] = [
  {
    name: 'grammar-rounds-outwards',
    test: {
      file: 'kernel/src/grammar/decimal-range.test.ts',
      title:
        'ends of a finer scale are rounded inwards, and where nothing is left there is no pattern',
    },
    edits: [
      {
        file: 'kernel/src/grammar/decimal-range.ts',
        function: 'roundDown',
        before: 'towardsZero - 1n',
        after: 'towardsZero',
      },
    ],
  },
  {
    name: 'grammar-without-what-a-limit-needs',
    test: {
      file: 'kernel/src/grammar/build-grammar.test.ts',
      title: 'a parameter that a limit names is required, and a decimal inside of it',
    },
    edits: [
      {
        file: 'kernel/src/grammar/narrow-node.ts',
        function: 'narrowMember',
        before: 'required: true',
        after: 'required: one.required',
      },
    ],
  },
  {
    name: 'grammar-beyond-the-writ',
    test: {
      file: 'kernel/src/grammar/build-grammar.test.ts',
      title: 'resource sets that are lists become values, in the contract and in every writ',
    },
    edits: [
      {
        file: 'kernel/src/grammar/narrow-kind.ts',
        function: '#listWritSets',
        before: 'if (patterns !== undefined) sets.push(patterns)',
        after: '',
      },
    ],
  },
  {
    name: 'grammar-loses-late-literals',
    test: {
      file: 'kernel/src/grammar/narrow-set.test.ts',
      title: 'a text is left as it is where a list of values cannot say what is allowed',
    },
    edits: [
      {
        file: 'kernel/src/grammar/narrow-set.ts',
        function: 'narrowText',
        before: '{ denied: set.denied }',
        after: 'set',
      },
    ],
  },
  {
    name: 'decoders-believed',
    test: {
      file: 'runtime/src/engine/generate/decode.test.ts',
      title:
        'what is outside of the grammar, not whole or no JSON is refused, paid for, kept, and never repaired',
    },
    edits: [
      {
        file: 'kernel/src/grammar/read-written.ts',
        function: 'readWritten',
        before: 'if (problem !== undefined) return err(problem)',
        after: '',
      },
    ],
  },
  {
    name: 'half-a-proposal-taken',
    test: {
      file: 'runtime/src/engine/generate/decode.test.ts',
      title:
        'what is outside of the grammar, not whole or no JSON is refused, paid for, kept, and never repaired',
    },
    edits: [
      {
        file: 'runtime/src/engine/generate/decode.ts',
        function: 'readDecoded',
        before:
          "if (stop === 'length') return buildDecodeFailure('it did not come to its end', raw)",
        after: '',
      },
    ],
  },
  {
    name: 'signed-outside-of-the-grammar',
    test: {
      file: 'sim/src/sdk/prove-intent.test.ts',
      title:
        'what a model wrote under the grammar of a flow is proven, and what the grammar does not admit is neither signed nor sent',
    },
    edits: [
      {
        file: 'agents/src/agent/check-within.ts',
        function: 'checkWithin',
        before: 'if (written.ok) return',
        after: 'return',
      },
    ],
  },
  {
    name: 'masks-ignored',
    test: {
      file: 'runtime/src/adapters/decoders/masked-provider.test.ts',
      title:
        'a model that does not keep to its mask is refused at the first token, whatever it wrote',
    },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/masked-provider.ts',
        function: 'writeDocument',
        before:
          'if (!isAllowed(bits, token, model) || !mask.accept(token)) throw buildUnheld(token, written)',
        after: 'mask.accept(token)',
      },
    ],
  },
  {
    name: 'masks-left-open',
    test: {
      file: 'runtime/src/adapters/decoders/masked-provider.test.ts',
      title:
        'a mask is disposed of however it ends, and a schema that is none is refused before anything is asked',
    },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/masked-provider.ts',
        function: 'createMaskedDecoder',
        before: 'mask.close()',
        after: '',
      },
    ],
  },
  {
    name: 'quotes-inside-of-texts',
    test: {
      file: 'runtime/src/adapters/decoders/pattern-ebnf.test.ts',
      title: 'what could end a JSON text, or stands in it otherwise, is in no class',
    },
    edits: [
      {
        file: 'runtime/src/adapters/decoders/character-class.ts',
        function: 'formatClass',
        before: '|| isIn(UNWRITTEN, point)',
        after: '',
      },
    ],
  },
  {
    name: 'held-reply-unreadable',
    edits: [
      {
        file: 'kernel/src/proof/evidence-shape.ts',
        function: 'generationAnswered',
        before: ', held)',
        after: ')',
      },
    ],
    test: {
      file: 'verifier/src/generations.test.ts',
      title:
        'a reply that was held to a grammar is not unreadable to a verifier, whatever became of it',
    },
  },
]
