/** Mistakes about events and messages that show in a storm, where buses lie and windows are disturbed. */
import type { Patch } from './patch.ts'

const BUS = 'runtime/src/engine/flow/bus.test.ts'
const WAKE = 'runtime/src/engine/flow/wake.test.ts'
const PLAYED = 'runtime/src/engine/arbitrate/arbitrate.test.ts'
const DEAD_LETTER = 'a message that cannot be sent becomes a dead letter, which can be sent again'

export const STORM_EVENT_PATCHES: readonly Patch[] = [
  {
    name: 'record-put-again-counts-from-one',
    test: {
      file: 'runtime/src/adapters/unit/first-version.test.ts',
      title: 'no two records begin at the same version',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/first-version.ts',
        function: 'drawFirstVersion',
        before: 'COUNTED.has(record) ? 1',
        after: 'record !== undefined ? 1',
      },
    ],
  },
  {
    name: 'half-job-put-again-counts-from-one',
    test: {
      file: 'runtime/src/engine/compensate/stale-choice.findings.test.ts',
      title:
        'a choice that was judged about a job which was put right meanwhile is not made about the next',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/first-version.ts',
        function: 'drawFirstVersion',
        before: 'COUNTED.has(record) ? 1',
        after: "COUNTED.has(record) || record === 'dirty_flow' ? 1",
      },
    ],
  },
  {
    name: 'choice-shown-with-a-drawn-version',
    test: {
      file: 'runtime/src/engine/compensate/stale-choice.findings.test.ts',
      title:
        'what a chooser is shown names the time at which the job was left half done, and nothing that was drawn',
    },
    edits: [
      {
        file: 'runtime/src/engine/context/choice-facts.ts',
        function: 'loadChoiceFacts',
        before: 'version: record.body.since',
        after: 'version: String(record.version)',
      },
    ],
  },
  {
    name: 'document-put-again-counts-from-one',
    test: {
      file: 'runtime/src/engine/context/late-writer.findings.test.ts',
      title: 'a late writer does not show what somebody else wrote under its own label',
    },
    edits: [
      {
        file: 'runtime/src/adapters/unit/first-version.ts',
        function: 'drawFirstVersion',
        before: 'COUNTED.has(record) ? 1',
        after: "COUNTED.has(record) || record === 'artifact' ? 1",
      },
    ],
  },
  {
    name: 'event-that-moves-while-it-is-read-is-lost',
    test: {
      file: 'runtime/src/engine/flow/event-rows.test.ts',
      title: 'an event that is opened again while somebody looks for it is found',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/event-rows.ts',
        function: 'findEvent',
        before: '[OPEN_EVENTS, CLOSED_EVENTS, OPEN_EVENTS]',
        after: '[OPEN_EVENTS, CLOSED_EVENTS]',
      },
    ],
  },
  {
    name: 'flow-of-a-message-believed',
    test: { file: BUS, title: 'forged, stale, duplicated and foreign messages change nothing' },
    edits: [
      {
        file: 'runtime/src/engine/flow/bus-hints.ts',
        function: 'checkHint',
        before: 'one.dfid === dfid && one.agent === agent',
        after: 'one.agent === agent',
      },
    ],
  },
  {
    name: 'message-dropped-while-the-bus-is-down',
    test: { file: BUS, title: DEAD_LETTER },
    edits: [
      {
        file: 'runtime/src/engine/flow/bus-outbox.ts',
        function: 'keepUnsent',
        before: 'writes: [buildDrop(letter), kept]',
        after: 'writes: kept.kind === "put_record" ? [buildDrop(letter)] : []',
      },
    ],
  },
  {
    name: 'dead-after-one-failure',
    test: { file: BUS, title: DEAD_LETTER },
    edits: [
      {
        file: 'runtime/src/engine/flow/bus-outbox.ts',
        function: 'keepUnsent',
        before: 'attempts >= EVENT_LIMITS.busAttempts',
        after: 'attempts <= EVENT_LIMITS.busAttempts',
      },
    ],
  },
  {
    name: 'wake-up-left-to-its-message',
    test: { file: BUS, title: 'what no message announced is found all the same' },
    edits: [
      {
        file: 'runtime/src/engine/flow/wake.ts',
        function: 'buildEventUnit',
        before: '...waiting.writes,',
        after: '...(context.bus === undefined ? waiting.writes : []),',
      },
    ],
  },
  {
    name: 'retired-agent-is-waited-for',
    test: {
      file: WAKE,
      title: 'a wake-up of an agent that is gone ends with it, and its event hears so',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/timer-units.ts',
        function: 'buildDroppedTimerUnit',
        before: 'if (event === undefined) return',
        after: 'if (event === undefined || timer.key.length > 0) return',
      },
    ],
  },
  {
    name: 'bid-that-no-event-counts',
    test: {
      file: PLAYED,
      title:
        'a higher bid that nobody has judged yet is not overlooked by whoever dispatches a lower one',
    },
    edits: [
      {
        file: 'runtime/src/engine/arbitrate/enter-event.ts',
        function: 'buildBidUnit',
        before: "{ kind: 'put_record', ...row, body },\n      ...counted.writes,",
        after: "{ kind: 'put_record', ...row, body },",
      },
    ],
  },
  {
    name: 'wake-up-for-every-observation',
    test: {
      file: WAKE,
      title: 'a thousand observations of one topic wake an agent once and leave one wake-up behind',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/wake.ts',
        function: 'buildEventUnit',
        before: 'const name = toWakeName(',
        after: 'const name = dfid + toWakeName(',
      },
    ],
  },
  {
    name: 'table-of-a-topic-not-looked-at',
    test: {
      file: 'runtime/src/engine/flow/observation-storm.test.ts',
      title:
        'a storm of observations wakes no more than was admitted, and leaves one wake-up for each agent',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/admit-listeners.ts',
        function: 'admitListeners',
        before: 'admitAgents(admission, ranked, basis)',
        after:
          'admitAgents(admission && { ...admission, table: [{ from: "0", agents: 9 }] }, ranked, basis)',
      },
    ],
  },
  {
    name: 'replica-works-on-what-another-has',
    test: {
      file: 'sim/src/sdk/replicas-postgres.test.ts',
      title:
        'of two processes of an agent one works on a flow that an event woke, and of the agents one is carried out',
    },
    edits: [
      {
        file: 'agents/src/http/opened-flows.ts',
        function: '#claim',
        before: "if (error.code === 'FLOW_CLAIMED') return 'taken'",
        after: "if (error.code === 'FLOW_CLAIMED') return 'ours'",
      },
    ],
  },
]

/** Found in a storm; some of these stand beside their tests. */
export const EVENTS_IN_STORM: readonly string[] = [
  'flow-of-a-message-believed',
  'message-dropped-while-the-bus-is-down',
  'dead-after-one-failure',
  'wake-up-left-to-its-message',
  'retired-agent-is-waited-for',
  'subscription-outside-of-the-contract',
  'older-event-keeps-its-member',
  'late-proposal-beside-the-winner',
  'bids-by-arrival',
  'window-under-later-rules',
]
