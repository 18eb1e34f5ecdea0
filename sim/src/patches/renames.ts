/** Mistakes by which a rename changes what a program does, or leaves a place behind. */
import type { Patch } from './patch.ts'

const BIND = 'artifacts/src/formats/typescript/bind'

export const RENAME_PATCHES: readonly Patch[] = [
  {
    name: 'rename-caught-by-a-scope',
    test: {
      file: 'artifacts/src/delta/plan-rename.test.ts',
      title: 'a name that would be caught on its way is refused',
    },
    edits: [
      {
        file: 'artifacts/src/delta/plan-rename.ts',
        function: 'planSites',
        before: 'if (caught === null) return planned',
        after: 'if (caught === null || planned.ok) return planned',
      },
    ],
  },
  {
    name: 'rename-takes-the-property-along',
    test: {
      file: 'artifacts/src/delta/plan-rename.test.ts',
      title: 'what a shortened property says is written out',
    },
    edits: [
      {
        file: `${BIND}/expressions.ts`,
        function: 'visitExpression',
        before: '{ prefix: ',
        after: '{ suffix: ',
      },
    ],
  },
  {
    name: 'member-renamed-though-passed-on',
    test: {
      file: 'artifacts/src/delta/plan-rename.test.ts',
      title: 'members are renamed where their uses can be told, and refused where they cannot',
    },
    edits: [
      {
        file: `${BIND}/typescript-names.ts`,
        function: 'explainUnfit',
        before: 'holder?.isPassedOn === true',
        after: 'holder?.isPassedOn === null',
      },
    ],
  },
  {
    name: 'parameters-within-parameters-are-one',
    test: {
      file: `${BIND}/bind.test.ts`,
      title: 'a parameter and what its function declares by its name are one',
    },
    edits: [
      {
        file: `${BIND}/scope.ts`,
        function: 'declare',
        before: "this.kind === 'function' && ",
        after: '',
      },
    ],
  },
  {
    name: 'comment-makes-a-dependency',
    test: {
      file: `${BIND}/typescript-names.test.ts`,
      title: 'a comment refers to nothing that a change could make stale',
    },
    edits: [
      {
        file: `${BIND}/typescript-names.ts`,
        function: 'findReferences',
        before: '!isDoc && isInside',
        after: 'isDoc !== null && isInside',
      },
    ],
  },
  {
    name: 'value-has-the-types-of-a-namespace',
    test: {
      file: `${BIND}/bind.test.ts`,
      title: 'a value with the name of a namespace has none of its types',
    },
    edits: [
      {
        file: `${BIND}/resolve-uses.ts`,
        function: 'resolveMember',
        before: '(member.meaning & use.meaning) === 0',
        after: '(member.meaning & use.meaning) === -1',
      },
    ],
  },
]
