/** Mistakes in how the work of several authors is checked and put together. */
import type { Edit, Patch } from './patch.ts'

const KERNEL = 'kernel/src/composition'
const COMPOSE = 'artifacts/src/compose'

function plant(name: string, file: string, title: string, edit: Edit): Patch {
  return { name, test: { file, title }, edits: [edit] }
}

export const COMPOSITION_PATCHES: readonly Patch[] = [
  plant(
    'composition-order-excuses-reads',
    `${KERNEL}/composition.test.ts`,
    'what two authors may do beside each other, by strategy',
    {
      ...{ file: `${KERNEL}/check-read-claims.ts`, function: 'checkRead' },
      before: '!isLoose(reader, [strategy]) && isOwnTarget(reader, path)',
      after: '!isLoose(reader, [strategy])',
    },
  ),
  plant(
    'composition-inner-strategies-not-asked',
    `${KERNEL}/composition.test.ts`,
    'the innermost container that names a strategy decides, and what crosses two satisfies both',
    {
      ...{ file: `${KERNEL}/strategy-of.ts`, function: 'listOfWrite' },
      before: "part !== 'subtree' || this.#within.length === 0",
      after: 'this.#within.length >= 0',
    },
  ),
  plant(
    'composition-enum-changed-by-two',
    'sim/src/artifacts/artifacts.test.ts',
    'every mistake of the table is refused with its code',
    {
      ...{ file: `${KERNEL}/check-read-claims.ts`, function: 'checkReadClaims' },
      before: 'for (const path of set.redefines) checkRedefined',
      after: 'for (const path of set.redefines.slice(0, 0)) checkRedefined',
    },
  ),
  plant(
    'composition-in-the-order-of-the-batch',
    'sim/src/artifacts/artifacts.test.ts',
    'a batch has the same bytes in any permutation',
    {
      ...{ file: `${COMPOSE}/compose-deltas.ts`, function: 'composeDeltas' },
      before: 'sortEntries(planned)',
      after: '(sortEntries(planned), planned)',
    },
  ),
  plant(
    'composition-paths-of-another-text',
    `${COMPOSE}/compose-deltas.test.ts`,
    'a path means the symbol that it named in the base, whatever stands before it now',
    {
      ...{ file: `${COMPOSE}/plan-onto.ts`, function: 'translateDelta' },
      before: 'delta.target === ROOT ? ROOT : translatePath(delta.target, translation)',
      after: 'delta.target',
    },
  ),
  {
    name: 'composition-lists-write-over-others',
    test: {
      file: `${COMPOSE}/compose-deltas.test.ts`,
      title:
        'what a list writes under a path of its own is not written by another under that of the base',
    },
    // Claims say it, and the places of the splices: either is enough.
    edits: [
      {
        ...{ file: `${COMPOSE}/compose-deltas.ts`, function: 'composeDeltas' },
        before: 'if (overlap !== null)',
        after: "if (overlap === '')",
      },
      {
        ...{ file: 'artifacts/src/claims/claim-delta.ts', function: 'claimPlan' },
        before: 'toFirst(claimStep(step, format, rule), paths)',
        after: 'claimStep(step, format, rule)',
      },
    ],
  },
  plant(
    'claims-of-a-later-text',
    'artifacts/src/claims/claim-delta.test.ts',
    'a list claims by the paths of its first text, whatever it calls them on the way',
    {
      ...{ file: 'artifacts/src/claims/claim-delta.ts', function: 'claimPlan' },
      before: 'toFirst(claimStep(step, format, rule), paths)',
      after: 'claimStep(step, format, rule)',
    },
  ),
  {
    name: 'composed-names-are-caught',
    test: {
      file: 'artifacts/src/compose/compose-meaning.findings.test.ts',
      title: 'what one puts in is not caught by a declaration of another',
    },
    edits: [
      {
        file: 'artifacts/src/compose/compose-deltas.ts',
        function: 'findMisread',
        before: 'planned.length < 2',
        after: 'planned.length > 1',
      },
    ],
  },
  {
    name: 'composed-names-of-the-platform-are-caught',
    test: {
      file: 'artifacts/src/compose/compose-meaning.findings.test.ts',
      title: 'a name of the platform that one uses is not one that another brings',
    },
    edits: [
      {
        file: 'artifacts/src/compose/compose-deltas.ts',
        function: 'findMisread',
        before: 'entry.order === undefined',
        after: 'entry.order !== undefined',
      },
    ],
  },
  {
    name: 'aliases-rely-on-nothing',
    test: {
      file: 'artifacts/src/claims/list-shared.test.ts',
      title: 'an anchor that nobody means yet is relied on by the first who does',
    },
    edits: [
      {
        file: 'artifacts/src/claims/list-shared.ts',
        function: 'listAliased',
        before: '...listOf(after, listPutSpans(splices))',
        after: '',
      },
    ],
  },
  {
    name: 'members-of-an-anchor-for-itself-alone',
    test: {
      file: 'artifacts/src/claims/list-shared.test.ts',
      title:
        'who changes an anchored value and who puts in or takes out an alias of it are in conflict',
    },
    edits: [
      {
        file: 'artifacts/src/claims/list-shared.ts',
        function: 'listAnchored',
        before: 'one === path || ',
        after: '',
      },
    ],
  },
]
