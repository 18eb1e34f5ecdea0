/** Mistakes about bids: what waits in an event, and what becomes of it. */
import type { Patch } from './patch.ts'

const LEFT = 'runtime/src/engine/arbitrate/left-bid.findings.test.ts'
const SETTLING = 'runtime/src/engine/arbitrate/settle-event.ts'

export const BID_PATCHES: readonly Patch[] = [
  {
    name: 'bid-left-in-a-halted-event',
    test: {
      file: LEFT,
      title: 'what a cancelled flow wanted does not stay behind when its event is halted',
    },
    edits: [
      {
        file: SETTLING,
        function: 'stopHalted',
        before: 'await dropEndedBids(context, event)',
        after: 'void dropEndedBids',
      },
    ],
  },
  {
    name: 'person-asked-about-a-lost-cause',
    test: {
      file: 'runtime/src/engine/arbitrate/escalated.test.ts',
      title: 'nobody is asked about what has lost already, when it comes after the window',
    },
    edits: [
      {
        file: 'runtime/src/engine/decide/propose.ts',
        function: 'judgeOnce',
        before: "if ('code' in lost) return",
        after:
          "if ('code' in lost && lost.code === 'PREEMPTED') return escalate(context, gathered, received, verdict, [])\n      if ('code' in lost) return",
      },
    ],
  },
  {
    name: 'bid-outlives-an-erasure',
    test: {
      file: LEFT,
      title: 'an erased flow does not leave its bid behind while the window is open',
    },
    edits: [
      {
        file: 'runtime/src/engine/erase/flow-records.ts',
        function: 'dropWaiting',
        before: 'if (event === null) return []',
        after: 'if (event === null || dfid.length > 0) return []',
      },
    ],
  },
  {
    name: 'loser-told-of-another-winner',
    test: {
      file: 'sim/src/differential/events.test.ts',
      title: 'the engine and the reference agree on whose proposal stands, in 75 events',
    },
    edits: [
      {
        file: 'kernel/src/arbitration/outcome.ts',
        function: 'findWinnerOver',
        before: 'return others.find((one)',
        after: 'return others.findLast((one)',
      },
    ],
  },
  {
    name: 'agent-above-chooses-the-winner',
    test: {
      file: 'runtime/src/engine/arbitrate/agent-approval.findings.test.ts',
      title: 'what an agent above lets pass does not win before the others have spoken',
    },
    edits: [
      {
        file: 'runtime/src/engine/arbitrate/enter-event.ts',
        function: 'isReleaseDeferred',
        before: 'findChannelAgent(approval.approver) === undefined',
        after: 'approval.approver.length > 0',
      },
    ],
  },
  {
    name: 'winner-of-an-agent-verified',
    test: {
      file: 'verifier/src/effects/arbitration.test.ts',
      title: 'what a person let pass may be outranked, and what an agent let pass may not',
    },
    edits: [
      {
        file: 'verifier/src/effects/arbitration.ts',
        function: 'foldIntent',
        before: ' && findChannelAgent(approval.approver) === undefined',
        after: '',
      },
    ],
  },
  {
    name: 'winner-of-an-agent-unaudited',
    test: {
      file: 'sim/src/audit/events.test.ts',
      title: 'who was approved by an agent may not be behind',
    },
    edits: [
      {
        file: 'sim/src/audit/events.ts',
        function: '#auditBegun',
        before: "intent.approval?.approver.startsWith('agent:') === false",
        after: 'intent.approval !== undefined',
      },
    ],
  },
  {
    name: 'person-left-asked-after-a-late-winner',
    test: {
      file: 'runtime/src/engine/arbitrate/escalated.test.ts',
      title: 'nobody stays asked about what loses to a proposal that comes after the window',
    },
    edits: [
      {
        file: 'runtime/src/engine/arbitrate/enter-event.ts',
        function: 'buildWonEvent',
        before: 'winners.length === 0',
        after: 'winners.length < 0',
      },
    ],
  },
  {
    name: 'forgotten-event-called-unarbitrated',
    test: {
      file: 'runtime/src/engine/close/forget-events.test.ts',
      title:
        'an event that was decided is not shown as one that nobody could lose, once it is forgotten',
    },
    edits: [
      {
        file: 'runtime/src/engine/flow/event-account.ts',
        function: 'readEventStanding',
        before: "outcome: 'forgotten'",
        after: "outcome: 'unarbitrated'",
      },
    ],
  },
  {
    name: 'person-asked-while-another-wins',
    test: {
      file: 'runtime/src/engine/arbitrate/escalated.test.ts',
      title: 'nobody is asked about what loses while the question is written',
    },
    edits: [
      {
        file: 'runtime/src/engine/escalate/escalate.ts',
        function: 'escalate',
        before: '...held,',
        after: '...held.slice(0, 0),',
      },
    ],
  },
  {
    name: 'member-ended-for-what-it-was',
    test: {
      file: 'runtime/src/engine/arbitrate/stale-look.findings.test.ts',
      title:
        'a winner that an executor has not sent yet is not given back by whoever closes its event',
    },
    edits: [
      {
        file: 'runtime/src/engine/arbitrate/end-member.ts',
        function: 'endMember',
        before:
          'const flow = await store.readFlow(dfid)\n    if (flow === null || (await isConcerned?.(flow)) === false) return',
        after:
          'const seen = await store.readFlow(dfid)\n    if (seen === null || (await isConcerned?.(seen)) === false) return\n    const flow = (await store.readFlow(dfid)) ?? seen',
      },
    ],
  },
]
