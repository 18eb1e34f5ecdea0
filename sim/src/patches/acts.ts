/** Mistakes about acts: opened and decided at once, on what an agent says it saw. */
import type { Patch } from './patch.ts'

export const ACTS_PATCHES: readonly Patch[] = [
  {
    name: 'waits-for-a-timer-of-no-time',
    test: {
      file: 'runtime/src/engine/decide/act-once.test.ts',
      title:
        'whoever waits for the dispatch alone is answered though no time passes and no effect ends',
    },
    edits: [
      {
        file: 'runtime/src/engine/decide/dispatch-staged.ts',
        function: 'awaitAnswer',
        before: 'if (waitMs === 0) return',
        after: 'if (waitMs < 0) return',
      },
    ],
  },
  {
    name: 'act-without-what-it-must-have-seen',
    edits: [
      {
        file: 'runtime/src/engine/context/relied-context.ts',
        function: 'compileReliedContext',
        before: 'if (missing.length > 0)',
        after: 'if (missing.length < 0)',
      },
    ],
  },
  {
    name: 'act-on-what-is-no-longer-so',
    edits: [
      {
        file: 'runtime/src/engine/context/relied-context.ts',
        function: 'isStillSo',
        before: 'return isSameValue &&',
        after: 'return isSameValue ||',
      },
    ],
  },
  {
    name: 'agents-word-passes-for-a-source',
    edits: [
      {
        file: 'runtime/src/engine/context/relied-context.ts',
        function: 'buildSaidFact',
        before: 'source: `agent:',
        after: 'source: `',
      },
    ],
  },
  {
    name: 'act-written-without-the-guards-of-its-opening',
    edits: [
      {
        file: 'runtime/src/engine/flow/held-opening.ts',
        function: '#commit',
        before: 'guards: [...guards, ...unit.guards',
        after: 'guards: [...unit.guards',
      },
    ],
  },
  {
    name: 'act-opened-apart-from-its-decision',
    edits: [
      {
        file: 'runtime/src/engine/flow/held-opening.ts',
        function: '#commit',
        before: 'const outcome = await this.#inner.commit({',
        after: `await this.#inner.commit({ guards: [], writes: [] })
    const outcome = await this.#inner.commit({`,
      },
    ],
  },
  {
    name: 'act-done-again-by-the-next-process',
    edits: [
      {
        file: 'runtime/src/engine/flow/kept-claims.ts',
        function: 'isBinding',
        before: 'body.dfid !== undefined ||',
        after: '',
      },
    ],
  },
  {
    name: 'key-claimed-beside-its-act',
    edits: [
      {
        file: 'runtime/src/engine/decide/act.ts',
        function: 'act',
        before: 'beside(dfid)',
        after: '{ ...beside(dfid), guards: [], writes: [] }',
      },
    ],
  },
  {
    name: 'act-told-whether-it-guessed-right',
    edits: [
      {
        file: 'runtime/src/engine/context/relied-context.ts',
        function: 'resolveFacts',
        before: 'isNameReadable(path, reads)',
        after: 'isNameReadable(path, reads.slice(0, 0))',
      },
    ],
  },
  {
    name: 'key-of-the-whole-address',
    edits: [
      {
        file: 'server/src/http/gate/read-request.ts',
        function: 'readRequest',
        before: 'formatRoutePath(route, params)',
        after: 'request.url',
      },
    ],
  },
  {
    name: 'key-of-a-waiting-act-expires',
    edits: [
      {
        file: 'runtime/src/engine/flow/kept-claims.ts',
        function: 'isBinding',
        before: 'return isOutcomeOpen(store, body, now)',
        after: 'return false',
      },
    ],
  },
  {
    name: 'key-claimed-over-a-claim',
    edits: [
      {
        file: 'server/src/http/gate/idempotency.ts',
        function: 'buildClaimUnit',
        before: "guards: [{ kind: 'record_version'",
        after: "guards: group !== '' ? [] : [{ kind: 'record_version'",
      },
    ],
  },
  {
    name: 'waiting-act-cleared-away',
    edits: [
      {
        file: 'runtime/src/engine/flow/kept-claims.ts',
        function: 'buildClearing',
        before: 'if (!(await isOutcomeOpen(store, kept.body, now)))',
        after: 'if (kept.version > 0)',
      },
    ],
  },
  {
    name: 'act-asks-about-what-it-may-not-see',
    edits: [
      {
        file: 'runtime/src/engine/context/relied-context.ts',
        function: 'resolveFacts',
        before: 'const compared = visible.filter(',
        after: 'const compared = seen.filter(',
      },
    ],
  },
  {
    name: 'act-looked-when-it-is-written',
    edits: [
      {
        file: 'runtime/src/engine/context/relied-context.ts',
        function: 'parseReliedFact',
        before: 'observed_at: formatInstant(at)',
        after: 'observed_at: String(observed_at)',
      },
    ],
  },
  {
    name: 'act-forgotten-before-it-is-judged',
    edits: [
      {
        file: 'runtime/src/engine/authority/writ-cache.ts',
        function: 'peek',
        before: 'this.#held.get(id) ??',
        after: '',
      },
      {
        file: 'runtime/src/engine/authority/writ-cache.ts',
        function: 'hold',
        before: 'this.#held.set(writ.id, writ)',
        after: 'this.remember(writ)',
      },
    ],
  },
  {
    name: 'what-an-act-relied-on-forgotten',
    edits: [
      {
        file: 'runtime/src/engine/ledger/snapshot-cache.ts',
        function: 'hold',
        before: 'this.#held.set(snapshotId, { state, world })',
        after: 'this.remember(snapshotId, { state, world })',
      },
    ],
  },
  {
    name: 'act-answered-by-what-came-last',
    edits: [
      {
        file: 'runtime/src/engine/flow/act-answer.ts',
        function: 'findActAnswer',
        before: 'for (const entry of entries) {',
        after: 'for (const entry of entries.toReversed()) {',
      },
    ],
  },
  {
    name: 'one-of-two-answers-for-an-act',
    edits: [
      {
        file: 'runtime/src/engine/flow/act-answer.ts',
        function: 'findActAnswer',
        before: "return flow.state === 'ESCALATED' && !isOver ? asked : answered",
        after: 'return answered ?? asked',
      },
    ],
  },
]

/** Those that the storm notices. */
export const ACTS_IN_STORM: readonly string[] = [
  'act-written-without-the-guards-of-its-opening',
  'act-done-again-by-the-next-process',
  'key-claimed-beside-its-act',
  'key-claimed-over-a-claim',
]
