/** What people are shown, what they say yes to, and why: nothing else is let pass by it. */
import type { JsonObject } from 'rubicon-kernel'
import { askAs, decide, fetchPersonId, joinLogins } from '../approve.ts'
import { ACCOUNTS, ANN, ANNS_PHONE, BOB, MALLORY, TRUDY } from '../shop.ts'
import { BOTH, CHIEF, DESK } from '../shop-rules.ts'
import type { Stage } from '../stage.ts'
import type { Trick } from '../trick.ts'

const goal = 'missing_person'
/** Characters that nobody sees. */
const UNSEEN = '\u200b\u2060\u200b'

const buildNote = (to: string): JsonObject => ({
  policy_kind: 'NOTE',
  params: { title: 'note', to },
})

const PAY: JsonObject = {
  policy_kind: 'PAY',
  params: { to: { account: ACCOUNTS.supplier ?? '' }, amount: '150.00' },
  grounds: { '/to/account': 'accounts.supplier' },
}

/** Whether something like it happened while it went on. */
async function hasHappened(
  stage: Stage,
  kind: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const before = stage.sent.length
  await work()
  await stage.settle()
  return stage.sent.slice(before).some((one) => one.kind === kind)
}

/** She has a login taken from her own person, and given to somebody else, by herself. */
async function sayOneself(stage: Stage, login: string, from: string, to: string): Promise<void> {
  const own = `/v1/persons/${await fetchPersonId(stage, from)}/identities`
  const others = `/v1/persons/${await fetchPersonId(stage, to)}/identities`
  await stage.wire.sendAsPerson(from, 'DELETE', `${own}?name=${encodeURIComponent(login)}`)
  await stage.wire.sendAsPerson(from, 'POST', others, { name: login })
}

export const APPROVAL_TRICKS: readonly Trick[] = [
  {
    name: 'have_people_shown_one_of_two_questions',
    goal: 'broken_ledger',
    patch: 'requests-show-one-trigger',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, buildNote(BOTH))
      await decide(stage, id, { login: ANN, human: ANN })
    },
  },
  {
    name: 'have_lifted_what_was_not_asked',
    goal: 'broken_ledger',
    patch: 'any-lift-counts',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, buildNote(DESK))
      const alsoLifts = [`policy:house@${CHIEF}`]
      await decide(stage, id, { login: ANN, human: ANN, alsoLifts })
    },
  },
  {
    name: 'have_the_yes_of_one_desk_count_for_another',
    goal,
    patch: 'policy-lifted-by-its-name',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, buildNote(DESK))
      const modified = { params: { title: 'note', to: CHIEF } }
      const isSent = await hasHappened(stage, 'NOTE', () =>
        decide(stage, id, { login: ANN, human: ANN, modified }),
      )
      if (isSent) stage.taken.push({ goal, detail: 'the chief was not asked' })
    },
  },
  {
    name: 'have_somebody_approve_for_no_reason_that_shows',
    goal,
    patch: 'unseen-reasons-count',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, PAY)
      const isSent = await hasHappened(stage, 'PAY', () =>
        decide(stage, id, { login: ANN, human: ANN, justification: UNSEEN }),
      )
      if (isSent) stage.taken.push({ goal, detail: 'nobody said why' })
    },
  },
  {
    name: 'have_a_yes_offered_that_comes_to_nothing',
    goal,
    patch: 'refused-override-offered',
    async attempt(stage) {
      const id = await askAs(stage, TRUDY, PAY)
      const request = id === null ? null : await stage.request(id)
      const flow = request === null ? null : await stage.runtime.store.readFlow(request.dfid)
      const writ = flow?.writs[0]?.id ?? ''
      await stage.engine.revoke({ target: 'writ', id: writ, reason: 'mistake' })
      const { body } = await stage.wire.sendAsPerson(ANN, 'GET', `/v1/escalations/${id}/brief`)
      if (body.outlook?.kind === 'refused' && body.may?.OVERRIDE === null)
        stage.taken.push({ goal, detail: 'somebody is asked for a yes that is refused' })
    },
  },
  {
    name: 'show_people_another_amount',
    goal,
    patch: 'values-make-parameters',
    async attempt(stage) {
      const params = { about: 'rent, amount 1.00', ...(PAY.params as JsonObject) }
      const id = await askAs(stage, TRUDY, { ...PAY, params })
      const { body } = await stage.wire.sendAsPerson(ANN, 'GET', `/v1/escalations/${id}/brief`)
      const parts = String(body.object).split(/, (?=(?:[^"]*"[^"]*")*[^"]*$)/)
      if (parts.filter((part) => part.startsWith('amount ')).length > 1)
        stage.taken.push({ goal, detail: `somebody reads \`${body.object}\`` })
    },
  },
  {
    name: 'have_one_human_say_that_she_is_two',
    goal,
    patch: 'somebody-says-who-they-are',
    async attempt(stage) {
      await joinLogins(stage, ANNS_PHONE, ANN)
      await stage.wire.sendAsPerson(BOB, 'GET', '/v1/escalations')
      await sayOneself(stage, ANNS_PHONE, ANN, BOB)
      const params = { amount: '50.00' }
      const id = await askAs(stage, MALLORY, { policy_kind: 'WITHDRAW', params })
      await decide(stage, id, { login: ANN, human: ANN })
      await decide(stage, id, { login: ANNS_PHONE, human: ANN })
    },
  },
]
