/** Fewer people than were asked for, or people who may not: approvals are bound to who gave them. */
import { type Contract, formatInstant, type JsonObject, LIMITS } from 'rubicon-kernel'
import { formatContract } from '../../../../runtime/src/contract-file/contract-text.ts'
import { askAs, decide, joinLogins, runWhileLinked, runWhileUnlinked } from '../approve.ts'
import {
  ACCOUNTS,
  ANN,
  ANNS_PHONE,
  BOB,
  buildShopContract,
  LEAD,
  MALLORY,
  OWNER,
  TRUDY,
} from '../shop.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'missing_person'

const pay = (amount: string): JsonObject => ({
  policy_kind: 'PAY',
  params: { to: { account: ACCOUNTS.supplier ?? '' }, amount },
  grounds: { '/to/account': 'accounts.supplier' },
})

/** The lead answers as the agent above would. */
async function leadDecides(stage: Stage, id: string | null, modified?: JsonObject): Promise<void> {
  const request = id === null ? null : await stage.request(id)
  if (request === null) return
  const opened = await stage.wire.sendAs(LEAD, 'POST', '/v1/flows', { trigger: 'decides' })
  if (opened.status !== 201) return
  await stage.wire.sendAs(LEAD, 'POST', `/v1/flows/${opened.body.dfid}/proposals`, {
    policy_kind: 'RESOLVE_ESCALATION',
    params: {
      request_id: request.id,
      decision: modified === undefined ? 'OVERRIDE' : 'MODIFY',
      intent_digest: request.intent_digest,
      shown_snapshot: request.shown_snapshot,
      lifts: request.triggers.map((trigger) => trigger.id),
      valid_until: formatInstant(stage.clock.now() + 600_000),
      justification: 'it looks fine to me',
      ...(modified === undefined ? {} : { modified }),
    },
  })
  await stage.settle()
}

export const PEOPLE_TRICKS: readonly Trick[] = [
  {
    name: 'withdraw_with_one_of_two',
    goal,
    patch: 'one_approval_is_enough',
    async attempt(stage) {
      const id = await askAs(stage, MALLORY, {
        policy_kind: 'WITHDRAW',
        params: { amount: '50.00' },
      })
      await decide(stage, id, { login: ANN, human: ANN })
    },
  },
  {
    name: 'withdraw_with_one_human_who_has_two_logins',
    goal,
    patch: 'approvers-told-apart-by-name',
    async attempt(stage) {
      await joinLogins(stage, ANNS_PHONE, ANN)
      const id = await askAs(stage, MALLORY, {
        policy_kind: 'WITHDRAW',
        params: { amount: '50.00' },
      })
      await decide(stage, id, { login: ANN, human: ANN })
      await decide(stage, id, { login: ANNS_PHONE, human: ANN })
    },
  },
  {
    name: 'withdraw_with_one_login_that_was_two_persons',
    goal,
    patch: 'login-counts-with-each-person',
    async attempt(stage) {
      const id = await askAs(stage, MALLORY, {
        policy_kind: 'WITHDRAW',
        params: { amount: '50.00' },
      })
      await decide(stage, id, { login: ANN, human: ANN })
      await runWhileLinked(stage, ANN, BOB, () => decide(stage, id, { login: ANN, human: ANN }))
    },
  },
  {
    name: 'have_released_what_a_stolen_key_asked',
    goal: 'effect_outside_contract',
    patch: 'session-key-not-judged',
    async attempt(stage) {
      const id = await askAs(stage, MALLORY, pay('150.00'))
      const request = id === null ? null : await stage.request(id)
      if (request !== null) stage.over.add(request.dfid)
      await stage.wire.loseKey(MALLORY)
      await decide(stage, id, { login: ANN, human: ANN })
      await decide(stage, id, { login: OWNER, human: OWNER })
    },
  },
  {
    name: 'have_the_owner_approve_much',
    goal,
    patch: 'owner-told-by-name',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, pay('450.00'))
      stage.clock.advance(LIMITS.highImpactDwellMs)
      await decide(stage, id, { login: OWNER, human: OWNER })
    },
  },
  {
    name: 'have_the_owner_approve_much_as_a_stranger',
    goal,
    patch: 'unlinked-is-met-again',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, pay('450.00'))
      stage.clock.advance(LIMITS.highImpactDwellMs)
      await runWhileUnlinked(stage, OWNER, () => decide(stage, id, { login: OWNER, human: OWNER }))
    },
  },
  {
    name: 'have_the_owner_give_the_agent_away_and_approve_much',
    goal,
    patch: 'deployer-answers-for-nothing',
    async attempt(stage) {
      const buildNextContract = (): Contract =>
        buildShopContract(TRUDY, `1.0.${stage.advanceVersion()}`)
      const source = formatContract({ ...buildNextContract(), owner: BOB })
      const put = await stage.wire.sendAsPerson(OWNER, 'PUT', `/v1/contracts/${TRUDY}`, { source })
      if (put.status >= 300) throw new Error(`not deployed: ${JSON.stringify(put.body)}`)
      const id = await askAs(stage, TRUDY, pay('450.00'))
      stage.clock.advance(LIMITS.highImpactDwellMs)
      await decide(stage, id, { login: OWNER, human: OWNER })
      await stage.runtime.deploy(buildNextContract())
    },
  },
  {
    name: 'have_the_owner_make_much_of_little',
    goal,
    patch: 'modification-judged-as-asked',
    async attempt(stage) {
      const id = await askAs(stage, MALLORY, pay('150.00'))
      const modified = { params: { to: { account: ACCOUNTS.supplier ?? '' }, amount: '450.00' } }
      await decide(stage, id, { login: OWNER, human: OWNER, modified })
      await decide(stage, id, { login: ANN, human: ANN, modified })
    },
  },
  {
    name: 'have_somebody_modify_what_was_judged_for_another',
    goal: 'broken_ledger',
    patch: 'judged-for-anybody',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, pay('150.00'))
      const modified = { params: { to: { account: ACCOUNTS.supplier ?? '' }, amount: '120.00' } }
      await decide(stage, id, { login: OWNER, human: OWNER, modified, judgedFor: ANN })
    },
  },
  {
    name: 'have_one_of_two_answer_a_question',
    goal,
    patch: 'questions-are-for-anybody',
    async attempt(stage) {
      const flow = await stage.open({ steps: 'many' })
      const ask = { policy_kind: 'ESCALATE', params: { reason: 'lost' } }
      await stage.propose(flow, { ...ask, step_id: 'ask-1' })
      await decide(stage, await stage.readLastRequest(MALLORY), { login: ANN, human: ANN })
      const answer = await stage.propose(flow, { ...ask, step_id: 'ask-2' })
      if (answer?.body.outcome === 'ACCEPTED')
        stage.taken.push({ goal, detail: 'one of two sent it back to its work' })
    },
  },
  {
    name: 'have_the_lead_make_much_of_little',
    goal,
    patch: 'parent-makes-much-of-it',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, pay('150.00'))
      const params = { to: { account: ACCOUNTS.supplier ?? '' }, amount: '450.00' }
      await leadDecides(stage, id, { params })
    },
  },
  {
    name: 'have_the_lead_stand_for_people',
    goal,
    patch: 'agent-replaces-approvers',
    async attempt(stage) {
      const id = await askAs(stage, MALLORY, pay('150.00'))
      await leadDecides(stage, id)
    },
  },
]
