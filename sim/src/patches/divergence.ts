/** What whoever holds the database could change in rows, and the runtime would believe. */
import type { Patch } from './patch.ts'

export const DIVERGENCE_PATCHES: readonly Patch[] = [
  {
    name: 'rows-are-not-compared-at-the-start',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/check-rows.ts',
        function: 'checkRows',
        before: 'await checkOpenFlows(context)',
        after: '([] as readonly string[])',
      },
    ],
  },
  {
    name: 'rows-of-ended-flows-are-believed',
    edits: [
      {
        file: 'runtime/src/engine/judge/load-decision.ts',
        function: 'loadDecision',
        before: 'if (firstUse.isFirst(dfid))',
        after: "if (dfid === '')",
      },
    ],
  },
  {
    name: 'a-claim-that-is-gone-is-not-missed',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/compare-flow.ts',
        function: 'compareSteps',
        before: 'return gone === undefined ?',
        after: 'return gone !== null ?',
      },
    ],
  },
  {
    name: 'counters-are-not-compared',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/flow-check.ts',
        function: 'compareBudget',
        before: 'if (counted !== units)',
        after: 'if (counted < 0)',
      },
    ],
  },
  {
    name: 'agents-counted-by-their-rows',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/check-rows.ts',
        function: 'checkRows',
        before: 'await checkAgentCounters(context)',
        after: '',
      },
    ],
  },
  {
    name: 'instances-that-nobody-ends',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/check-rows.ts',
        function: 'checkRows',
        before: 'await checkInstances(context)',
        after: '',
      },
    ],
  },
  {
    name: 'time-taken-from-rows',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/check-rows.ts',
        function: 'checkRows',
        before: 'await checkConfirmedClock(context)',
        after: '',
      },
      {
        file: 'runtime/src/engine/ledger/divergence/trajectories.ts',
        function: 'findHeadProblem',
        before: 'at !== head.at',
        after: "at === ''",
      },
    ],
  },
  {
    name: 'keys-of-the-retired',
    edits: [
      {
        file: 'runtime/src/engine/authority/keys.ts',
        function: 'registerKey',
        before: "purpose === 'agent' ? checkAgentRetired(authority, subject) : null",
        after: 'null',
      },
    ],
  },
  {
    name: 'codes-of-records-are-not-checked',
    edits: [
      {
        file: 'runtime/src/adapters/unit/row-codes.ts',
        function: 'isRecord',
        before: 'if (code !== null && this.#mac.isCode(text, code)) return true',
        after: "if (text !== '') return true",
      },
    ],
  },
  {
    name: 'codes-of-counters-are-not-checked',
    edits: [
      {
        file: 'runtime/src/adapters/unit/row-codes.ts',
        function: 'parseCounter',
        before: 'if (code !== null && this.#mac.isCode(text, code)) return used',
        after: "if (text !== '') return used",
      },
    ],
  },
  {
    name: 'codes-do-not-say-which-record-they-are-of',
    edits: [
      {
        file: 'runtime/src/adapters/unit/row-codes.ts',
        function: '#recordText',
        before: "this.#tenant, 'records', record, group, key, version",
        after: "this.#tenant, 'records', record, group, version",
      },
    ],
  },
  {
    name: 'distrusted-rows-are-not-told',
    edits: [
      {
        file: 'runtime/src/adapters/unit/row-codes.ts',
        function: '#tell',
        before: 'this.#distrusted(problem)',
        after: 'void problem',
      },
    ],
  },
  {
    name: 'resources-are-not-held-against-the-world',
    edits: [
      {
        file: 'runtime/src/adapters/unit/world-check.ts',
        function: 'checkResource',
        before: 'if (isLeaf) return',
        after: 'if (isLeaf || key.length > 0) return',
      },
    ],
  },
  {
    name: 'ends-of-trajectories-are-believed',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/check-rows.ts',
        function: 'checkRows',
        before: 'if (exposed) await checkTrajectories(context)',
        after: 'void checkTrajectories',
      },
    ],
  },
  {
    name: 'the-stored-checkpoint-is-believed',
    edits: [
      {
        file: 'runtime/src/engine/ledger/check-note.ts',
        function: 'checkStoredNote',
        before: 'if (problem !== null) throw',
        after: "if (problem === '') throw",
      },
    ],
  },
  {
    name: 'a-lost-checkpoint-is-not-put-back',
    edits: [
      {
        file: 'runtime/src/engine/ledger/check-note.ts',
        function: 'restoreNote',
        before: 'const isThere = stored?.epoch === authority.epoch && stored.size >= size',
        after: 'const isThere = stored === null || stored.size >= size',
      },
    ],
  },
  {
    name: 'a-tile-that-is-gone-is-not-missed',
    edits: [
      {
        file: 'runtime/src/engine/ledger/open-ledger.ts',
        function: 'checkHead',
        before: 'if (tiles.length < whole) throw',
        after: 'if (tiles.length > whole) throw',
      },
    ],
  },
  {
    name: 'authority-ends-where-rows-say',
    edits: [
      {
        file: 'runtime/src/engine/ledger/heads.ts',
        function: 'findHeadProblem',
        before: 'if (head.body.authority === authority) return undefined',
        after: "if (head.body.origin !== '') return undefined",
      },
    ],
  },
  {
    name: 'entries-are-found-by-their-columns',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/check-rows.ts',
        function: 'checkRows',
        before: 'if (exposed) await checkHidden(context, flows)',
        after: 'void checkHidden',
      },
    ],
  },
  {
    name: 'commits-are-found-by-their-column',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/trajectories.ts',
        function: 'readWorldRoot',
        before: 'await check.check(page.slice(Math.max(0, at)))',
        after: 'await check.check(page.slice(at, at + 1))',
      },
    ],
  },
  {
    name: 'erased-flows-are-not-compared',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/flow-check.ts',
        function: 'compareRows',
        before: 'return compareErased(dfid, flow, executions)',
        after: 'return void compareErased ?? null',
      },
    ],
  },
  {
    name: 'used-approvals-count-again',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/flow-check.ts',
        function: 'compareRequests',
        before: 'if (state !== standing &&',
        after: "if (id === '' &&",
      },
    ],
  },
  {
    name: 'writs-issued-by-hand-are-not-compared',
    edits: [
      {
        file: 'runtime/src/engine/ledger/divergence/agent-counters.ts',
        function: 'checkAgentCounters',
        before: 'writs.add(taking)',
        after: 'void taking',
      },
    ],
  },
  {
    name: 'the-file-acts-by-itself',
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/inspect.ts',
        function: 'inspectStore',
        before: 'if (changed !== null)',
        after: "if (changed === '')",
      },
    ],
  },
  {
    name: 'others-write-beside-the-owner',
    edits: [
      {
        file: 'runtime/src/adapters/sqlite/commit-queue.ts',
        function: '#assertAlone',
        before: 'if (this.#others.get()?.data_version === this.#seen) return',
        after: 'if (this.#others !== null) return',
      },
    ],
  },
  {
    name: 'monitors-go-on-from-what-stands-there',
    edits: [
      {
        file: 'runtime/src/adapters/unit/row-codes.ts',
        function: 'VOUCHED',
        before: "monitor_cursor: 'refused'",
        after: "monitor_cursor: 'unvouched'",
      },
    ],
  },
]
