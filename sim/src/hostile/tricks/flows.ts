/** Another's flow: its place, its budget, its work, its end. */
import { randomUUID } from 'node:crypto'
import { formatInstant, LIMITS } from 'rubicon-kernel'
import { GRAFFITO } from '../judge.ts'
import { ACCOUNTS, MALLORY, VICTIM } from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'anothers_flow'
const formatVictimPath = (stage: Stage, what: string): string =>
  `/v1/flows/${stage.victims.dfid}/${what}`

/** Cut to what is kept of it, it ends in half a surrogate pair. */
const CUT_IN_PAIR = `${'x'.repeat(LIMITS.wordsLength - 1)}\u{1f600}`

export const FLOW_TRICKS: readonly Trick[] = [
  {
    name: 'open_a_flow_in_authority',
    goal: 'broken_ledger',
    patch: 'authority-takes-flows',
    async attempt(stage) {
      const flow = await stage.open({ trajectory: 'authority' })
      await stage.propose(flow, {
        policy_kind: 'BUY',
        params: { instrument: 'ETH-USD', quantity: '1' },
      })
    },
  },
  {
    name: 'spawn_a_child_in_authority',
    goal: 'broken_ledger',
    patch: 'authority-takes-flows',
    attempt: async (stage) =>
      void (await stage.act('SPAWN_CHILD', {
        agent: MALLORY,
        trigger: 'x',
        trajectory: 'authority',
      })),
  },
  {
    name: 'make_a_flow_unprovable_by_losing_the_key_after_it',
    goal: 'broken_ledger',
    patch: 'later-keys-left-out-of-a-bundle',
    async attempt(stage) {
      const flow = await stage.open()
      if (flow === null) return
      await stage.engine.cancel(flow.dfid, 'never mind')
      stage.over.add(flow.dfid)
      await stage.wire.loseKey(MALLORY)
    },
  },
  {
    name: 'have_what_it_did_erased',
    goal: 'broken_ledger',
    patch: 'agents-erase',
    async attempt(stage) {
      const flow = await stage.open()
      if (flow === null) return
      await stage.engine.cancel(flow.dfid, 'never mind')
      stage.over.add(flow.dfid)
      await stage.sendPost(`/v1/flows/${flow.dfid}/erasure`, { reason: 'nobody needs to know' })
    },
  },
  {
    name: 'have_a_flow_erased_while_it_works',
    goal: 'broken_ledger',
    patch: 'open-flows-erased',
    async attempt(stage) {
      const flow = await stage.open()
      if (flow === null) return
      // As an operator would who was talked into it.
      await stage.engine.oversight.erase({ dfid: flow.dfid, reason: 'asked for' })
      await stage.propose(flow, { policy_kind: 'BUY', params: { instrument: 'ETH-USD' } })
    },
  },
  {
    name: 'open_a_flow_in_no_trajectory',
    goal: 'server_error',
    patch: 'agents-open-in-unknown-trajectories',
    attempt: async (stage) =>
      void (await stage.open({ trajectory: stage.rng.pick(['erasure', 'nowhere']) })),
  },
  {
    name: 'end_a_flow_with_words_that_are_cut_in_a_pair',
    goal: 'server_error',
    patch: 'texts-cut-through-a-pair',
    async attempt(stage) {
      const flow = await stage.open()
      await stage.sendPost(`/v1/flows/${flow?.dfid}/cancellation`, { reason: CUT_IN_PAIR })
    },
  },
  {
    name: 'have_the_bank_quote_words_that_are_cut_in_a_pair',
    goal: 'server_error',
    patch: 'texts-cut-through-a-pair',
    async attempt(stage) {
      const to = { account: ACCOUNTS.supplier ?? '' }
      const grounds = { '/to/account': 'accounts.supplier' }
      await stage.act('PAY', { to, amount: '1.00', memo: CUT_IN_PAIR }, { grounds })
    },
  },
  {
    name: 'open_a_child_under_anothers_flow',
    goal,
    patch: 'foreign-parent-takes-children',
    async attempt(stage) {
      // What is left of its budget, to the cent.
      for (let cents = 50_000; cents > 49_960; cents--) {
        const budget = { usd: (cents / 100).toFixed(2) }
        if ((await stage.open({ parent: stage.victims.dfid, budget })) !== null) return
      }
    },
  },
  {
    name: 'propose_in_anothers_flow',
    goal,
    patch: 'flow-of-anybody',
    async attempt(stage) {
      const body = {
        dfid: stage.victims.dfid,
        agent_id: VICTIM,
        step_id: `hers-${stage.rng.drawBelow(1000)}`,
        policy_kind: 'PAY',
        params: { to: { account: ACCOUNTS.supplier ?? '' }, amount: '1.00' },
        grounds: { '/to/account': 'accounts.supplier' },
      }
      await stage.sendPost(formatVictimPath(stage, 'proposals'), body)
    },
  },
  {
    name: 'cancel_anothers_flow',
    goal,
    patch: 'flow-of-anybody',
    attempt: async (stage) =>
      void (await stage.sendPost(formatVictimPath(stage, 'cancellation'), { reason: 'x' })),
  },
  {
    name: 'report_usage_in_anothers_flow',
    goal,
    patch: 'flow-of-anybody',
    attempt: async (stage) =>
      void (await stage.sendPost(formatVictimPath(stage, 'usage'), {
        used: { tokens: 10_001 },
        report: randomUUID(),
      })),
  },
  {
    name: 'write_a_note_into_anothers_flow',
    goal,
    patch: 'flow-of-anybody',
    attempt: async (stage) =>
      void (await stage.sendPost(formatVictimPath(stage, 'notes'), { text: GRAFFITO })),
  },
  {
    name: 'open_a_flow_as_another',
    goal,
    patch: 'session-of-anybody',
    async attempt(stage) {
      const flow = await stage.open({ agent: VICTIM })
      await stage.propose(flow, {
        policy_kind: 'PAY',
        params: { to: { account: ACCOUNTS.supplier ?? '' }, amount: '1.00' },
        grounds: { '/to/account': 'accounts.supplier' },
      })
      if (flow !== null)
        stage.taken.push({ goal, detail: 'a flow was opened in the name of another' })
    },
  },
  {
    name: 'decide_what_another_asks',
    goal,
    patch: 'anybody-decides',
    async attempt(stage) {
      const id = await stage.readLastRequest(VICTIM)
      const asked = id === null ? null : await stage.request(id)
      if (asked === null) return
      const { id: request_id, intent_digest, shown_snapshot, triggers } = asked
      const valid_until = formatInstant(stage.clock.now() + 600_000)
      await stage.act('RESOLVE_ESCALATION', {
        request_id,
        decision: 'OVERRIDE',
        intent_digest,
        shown_snapshot,
        lifts: triggers.map(({ id }) => id),
        valid_until,
        justification: 'it looks fine to me',
        acknowledged_impact: 'LOW_IMPACT',
      })
      await stage.settle()
    },
  },
  {
    name: 'end_another_agent',
    goal,
    patch: 'agents-move-anybody',
    attempt: async (stage) =>
      void (await stage.sendPost(`/v1/agents/${VICTIM}/transitions`, {
        to: 'RETIRED',
        justification: 'tired',
      })),
  },
  {
    name: 'stand_on_anothers_writ',
    goal: 'effect_outside_contract',
    patch: 'writ-of-anybody',
    async attempt(stage) {
      const flow = await stage.open()
      if (flow !== null) stage.over.add(flow.dfid)
      const writ_id = await stage.issueWrit(VICTIM)
      await stage.propose(flow, {
        policy_kind: 'BUY',
        params: { instrument: 'ETH-USD', quantity: '1' },
        writ_id,
      })
    },
  },
  {
    name: 'go_on_under_another_writ_when_the_flows_own_is_revoked',
    goal: 'effect_outside_contract',
    patch: 'flow-outlives-its-writ',
    async attempt(stage) {
      const flow = await stage.open()
      if (flow === null) return
      const other = await stage.issueWrit(MALLORY)
      const own = (await stage.runtime.store.readFlow(flow.dfid))?.writs[0]?.id ?? ''
      await stage.engine.revoke({ target: 'writ', id: own, reason: 'mistake' })
      stage.over.add(flow.dfid)
      await stage.propose(flow, {
        policy_kind: 'BUY',
        params: { instrument: 'ETH-USD', quantity: '1' },
        writ_id: other,
      })
    },
  },
]
