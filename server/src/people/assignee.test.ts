/** Who may be given a request where people also come through a provider: what it says is known once they are signed in. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { post, problemOf, refund } from '../http/served.test-support.ts'
import { withProvider } from './logins.test-support.ts'

test('somebody who comes through a provider is refused once it has said that they do not decide', async (t) => {
  const more = { roles: { auditor: ['watchers'], approver: ['managers'] } }
  const accounts = { eve: { groups: ['watchers'] }, max: { groups: ['managers'] } }
  const { stage, issuer, signedIn } = await withProvider(t, {}, more, accounts)
  const { people } = stage.runtime.engine
  for (const sub of ['eve', 'max']) {
    const known = await people.register(`${sub}@example.com`)
    assert.ok(known.ok)
    const linked = await people.link(known.value.person_id, { kind: 'oidc', issuer, sub })
    assert.ok(linked.ok)
  }
  const ann = stage.person('ann', 'approver')
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  const path = `/v1/flows/${flow.dfid}/proposals?wait_ms=0`
  await post(bot, path, { body: refund(flow, '1200.00') })
  const at = `/v1/escalations/${flow.dfid}:1/claim`
  const give = (to: string, from?: string) =>
    post(ann, at, { body: { for: to, ...(from === undefined ? {} : { instead_of: from }) } })
  const unknown = await give('eve@example.com')
  assert.equal(unknown.status, 200, JSON.stringify(unknown.body))
  await signedIn('eve')
  await signedIn('max')
  const refused = await give('eve@example.com', 'eve@example.com')
  assert.deepEqual(problemOf(refused), [403, 'ROLE_MISSING'])
  assert.match(refused.body.detail, /the role auditor/)
  const given = await give('max@example.com', 'eve@example.com')
  assert.deepEqual([given.status, given.body.by], [200, 'max@example.com'])
})
