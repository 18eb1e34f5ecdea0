/** Mistakes about events that several agents answer: who is first, who is waited for, and who has lost. */
import type { Patch } from './patch.ts'

const RANK = 'kernel/src/arbitration/rank.ts'
const OUTCOME = 'kernel/src/arbitration/outcome.ts'
const LAWS = 'kernel/src/arbitration/arbitration.test.ts'
const SETTLING = 'runtime/src/engine/arbitrate/settle-event.ts'
const ENTERING = 'runtime/src/engine/arbitrate/enter-event.ts'
const PLAYED = 'runtime/src/engine/arbitrate/arbitrate.test.ts'
const CHANGED = 'runtime/src/engine/arbitrate/changed-rules.findings.test.ts'
const AUDIT = 'verifier/src/effects/arbitration.ts'
const AUDITED = 'verifier/src/effects/arbitration.test.ts'

export const ARBITRATION_PATCHES: readonly Patch[] = [
  {
    name: 'windows-wait-for-one-winner',
    test: {
      file: 'runtime/src/engine/arbitrate/slow-winner.test.ts',
      title:
        'an event whose winner waits for a source does not keep the windows of others open, and is not begun twice',
    },
    edits: [
      {
        file: 'runtime/src/engine/arbitrate/settling.ts',
        function: 'run',
        before: 'Promise.race([working, left])',
        after: 'working',
      },
    ],
  },
  {
    name: 'bids-by-arrival',
    test: { file: LAWS, title: 'between two agents it does not matter who was first' },
    edits: [
      {
        file: RANK,
        function: 'compareBids',
        before: 'compareByPriority(a, b) || compareText(a.at, b.at)',
        after: 'compareText(a.at, b.at) || compareByPriority(a, b)',
      },
    ],
  },
  {
    name: 'preempting-kinds-in-their-rank',
    test: {
      file: LAWS,
      title:
        'a preempting kind comes before a higher priority, and risk before strategy among equals',
    },
    edits: [
      {
        file: RANK,
        function: 'compareBids',
        before: 'isFirst !== preempting_kinds.includes(b.policy_kind)',
        after: 'isFirst === null',
      },
    ],
  },
  {
    name: 'halted-event-goes-on',
    test: {
      file: LAWS,
      title: 'HALT stops everybody, also who has won and where nothing is arbitrated',
    },
    edits: [
      {
        file: OUTCOME,
        function: 'findEventRefusal',
        before: 'halted_by !== null',
        after: 'halted_by !== null && winners.length === 0',
      },
    ],
  },
  {
    name: 'winner-without-the-guard-of-its-event',
    test: {
      file: PLAYED,
      title:
        'a higher bid that arrives while a lower one is judged wins, and the lower one is not sent',
    },
    edits: [
      {
        file: SETTLING,
        function: 'judgeBid',
        before: 'guards: [...won.guards, ...taken.guards]',
        after: 'guards: [...taken.guards]',
      },
    ],
  },
  {
    name: 'window-that-waits-for-nobody',
    test: { file: PLAYED, title: 'risk preempts strategy also where agent_strategy is first' },
    edits: [
      {
        file: SETTLING,
        function: 'isMemberDone',
        before: "flow.state !== 'ACTIVE' && winners.some((one) => one.dfid === dfid)",
        after: "flow.state !== 'EXECUTING'",
      },
    ],
  },
  {
    name: 'late-proposal-beside-the-winner',
    test: {
      file: PLAYED,
      title:
        'a window in which nobody proposes closes, and later proposals are carried out at once, one of them',
    },
    edits: [
      {
        file: ENTERING,
        function: 'enterEvent',
        before: 'if (refusal !== null) return',
        after: "if (refusal?.code === 'EVENT_HALTED') return",
      },
    ],
  },
  {
    name: 'bid-that-is-gone-waits',
    test: { file: PLAYED, title: 'a flow whose bid is gone does not wait for ever' },
    edits: [
      {
        file: SETTLING,
        function: 'closeEvent',
        before: 'await endOrphans(context, event)',
        after: '',
      },
    ],
  },
  {
    name: 'second-winner-unseen',
    test: {
      file: AUDITED,
      title: 'a second winner of an exclusive event is found, a second step of the first is not',
    },
    edits: [
      {
        file: AUDIT,
        function: 'foldIntent',
        before: 'other === undefined ? found',
        after: 'found.length >= 0 ? found',
      },
    ],
  },
  {
    name: 'loser-that-outranks-unseen',
    test: {
      file: AUDITED,
      title: 'whoever lost must have lost to one that was there, and that it does not outrank',
    },
    edits: [
      {
        file: AUDIT,
        function: 'findLostProblems',
        before: 'compareBids(law, bid, winner) < 0',
        after: 'compareBids(law, winner, bid) > 1e9',
      },
    ],
  },
  {
    name: 'window-under-later-rules',
    test: {
      file: CHANGED,
      title: 'kinds that no longer preempt still do in a window that was open before',
    },
    edits: [
      {
        file: SETTLING,
        function: 'settleEvent',
        before: 'const { law } = event.body',
        after: 'const law = context.book.rules.topics?.[0]?.arbitration ?? null',
      },
    ],
  },
  {
    name: 'event-audited-by-later-rules',
    test: {
      file: CHANGED,
      title:
        'a row that goes while a window is open does not make the record of its winner unreadable',
    },
    edits: [
      {
        file: AUDIT,
        function: 'foldIntent',
        before: 'const { law } = event',
        after: 'const law = this.#topics.length === 0 ? null : event.law',
      },
    ],
  },
  {
    name: 'event-of-another-topic-unseen',
    test: {
      file: AUDITED,
      title: 'an event is not exempt by the name of another topic, nor by rules that came later',
    },
    edits: [
      {
        file: AUDIT,
        function: 'foldEvent',
        before: 'return isAbout ? []',
        after: 'return isAbout || topic.length > 0 ? []',
      },
    ],
  },
  {
    name: 'erased-winner-never-was',
    test: {
      file: AUDITED,
      title:
        'what somebody lost to or was halted by may be erased, or stand outside of a bundle, and no other',
    },
    edits: [
      {
        file: AUDIT,
        function: '#isLeftOut',
        before: '|| this.#erased.has(dfid)',
        after: '',
      },
    ],
  },
  {
    name: 'erased-winner-of-any-event',
    test: {
      file: AUDITED,
      title:
        'what somebody lost to or was halted by may be erased, or stand outside of a bundle, and no other',
    },
    edits: [
      {
        file: AUDIT,
        function: '#isLeftOut',
        before: 'return !this.#whole || this.#erased.has(dfid)',
        after: 'return !this.#whole || this.#erased.size > 0',
      },
    ],
  },
  {
    name: 'agent-on-both-lists-unseen',
    test: {
      file: 'verifier/src/authority/events.test.ts',
      title:
        'an event under a topic that the rules do not give its observations, or with an agent on both lists, is not in order',
    },
    edits: [
      {
        file: 'verifier/src/authority/events.ts',
        function: 'foldEvent',
        before: 'not_woken.some(({ agent }) => agents.has(agent))',
        after: 'not_woken.some(({ agent }) => agent.length === 0)',
      },
    ],
  },
]
