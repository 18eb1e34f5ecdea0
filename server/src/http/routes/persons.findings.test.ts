import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { nodeCrypto, verifyAny } from 'rubicon-verifier'
import { formatContract } from '../../../../runtime/src/contract-file/contract-text.ts'
import { exportLedger } from '../../../../runtime/src/evidence/export-ledger.ts'
import { buildRefundsContract } from '../../demo/refunds.ts'
import { createMovableClock } from '../../demo/stage.ts'
import {
  type Asking,
  asking,
  contractWith,
  MINUTE,
  OWNER,
  withProvider,
} from '../../people/logins.test-support.ts'
import type { HttpAnswer } from '../agent-auth/client.ts'
import { type Served, served } from '../served.test-support.ts'

/** A refund of HIGH_IMPACT that waits, and the words with which somebody lets it go. */
async function waiting(
  stage: Served,
  seenBy: Asking,
): Promise<{ readonly path: string; readonly body: JsonObject }> {
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  await stage.propose(bot, flow, { params: { order: 'o_3', amount: '3000.00' } })
  const { body: listed } = await seenBy('GET', '/v1/escalations')
  const path = `/v1/escalations/${listed.escalations[0].id}`
  const { request } = (await seenBy('GET', path)).body
  assert.equal(request.impact, 'HIGH_IMPACT')
  const { intent_digest, shown_snapshot, triggers, impact, acknowledge } = request
  const body = {
    decision: 'OVERRIDE',
    intent_digest,
    shown_snapshot,
    lifts: triggers.map(({ id }: { id: string }) => id),
    valid_until: new Date(Date.parse(request.requested_at) + 40 * MINUTE).toISOString(),
    justification: 'the order is lost',
    acknowledged_impact: impact,
    acknowledgement: acknowledge,
  }
  return { path, body }
}

function idIn(persons: readonly { names: readonly string[]; person_id: string }[], name: string) {
  return persons.find(({ names }) => names.includes(name))?.person_id ?? 'nobody'
}

async function findingsOf({ runtime }: Served): Promise<readonly unknown[]> {
  const lines: string[] = []
  await runtime.engine.checkpoint()
  await exportLedger(runtime.store, (line) => void lines.push(line))
  return verifyAny(lines.join(''), nodeCrypto).findings
}

test('finding 8d: the owner of an agent never approves its HIGH_IMPACT through another login', async (t) => {
  const { stage, signedIn } = await withProvider(t, { owner: OWNER })
  const jane = await signedIn('jane')
  const { path, body } = await waiting(stage, jane)
  const said = await jane('POST', `${path}/decision`, body)
  assert.equal(said.status, 403, JSON.stringify(said.body))
  assert.deepEqual(stage.calls, [])
})

test('finding 8e: two logins of one human never count as two approvals', async (t) => {
  const of = ['ann@example.com', 'ann.lee@example.com', 'bob@example.com']
  const safety = { ...buildRefundsContract().safety_rules, approvers: { needs: 2, of } }
  const contracts = [contractWith({ safety_rules: safety as unknown as JsonObject })]
  const clock = createMovableClock()
  const stage = await served(t, { contracts, clock })
  const operator = asking(stage.person('olga', 'operator'))
  const [one, two] = of.slice(0, 2).map((name) => asking(stage.person(name, 'approver')))
  assert.ok(one !== undefined && two !== undefined)
  const { body: listed } = await operator('GET', '/v1/persons')
  const idOf = (name: string): string =>
    listed.persons?.find((person: { names: readonly string[] }) => person.names.includes(name))
      ?.person_id ?? 'nobody'
  await operator('POST', `/v1/persons/${idOf('ann.lee@example.com')}/merge`, {
    into: idOf('ann@example.com'),
  })
  const { path, body } = await waiting(stage, one)
  clock.ahead(MINUTE)
  const first = await one('POST', `${path}/decision`, body)
  assert.equal(first.status, 200, JSON.stringify(first.body))
  assert.equal(first.body.outcome, 'waiting')
  const second = await two('POST', `${path}/decision`, body)
  assert.deepEqual([second.status, second.body.code], [409, 'APPROVER_REPEATED'])
  assert.deepEqual(stage.calls, [])
})

test('one login that is linked to one person after another never counts as two approvals', async (t) => {
  const of = ['ann@example.com', 'bob@example.com']
  const safety = { ...buildRefundsContract().safety_rules, approvers: { needs: 2, of } }
  const contracts = [contractWith({ safety_rules: safety as unknown as JsonObject })]
  const clock = createMovableClock()
  const stage = await served(t, { contracts, clock })
  const operator = asking(stage.person('olga', 'operator'))
  const mallory = asking(stage.person('mallory', 'operator', 'approver'))
  const { persons } = (await operator('GET', '/v1/persons')).body
  const pathOf = (name: string): string => {
    const has = (person: { names: readonly string[] }): boolean => person.names.includes(name)
    return `/v1/persons/${persons.find(has)?.person_id}/identities`
  }
  const own = await mallory('POST', pathOf('ann@example.com'), { name: 'Mallory' })
  assert.deepEqual([own.status, own.body.code], [403, 'IDENTITY_OWN'])
  const link = async (name: string): Promise<void> => {
    const linked = await operator('POST', pathOf(name), { name: 'mallory' })
    assert.equal(linked.status, 200, JSON.stringify(linked.body))
  }
  await link('ann@example.com')
  const { path, body } = await waiting(stage, mallory)
  clock.ahead(MINUTE)
  assert.equal((await mallory('POST', `${path}/decision`, body)).body.outcome, 'waiting')
  const away = `${pathOf('ann@example.com')}?name=mallory`
  const taken = await mallory('DELETE', away)
  assert.deepEqual([taken.status, taken.body.code], [403, 'IDENTITY_OWN'])
  assert.equal((await operator('DELETE', away)).status, 200)
  await link('bob@example.com')
  const second = await mallory('POST', `${path}/decision`, body)
  assert.deepEqual([second.status, second.body.code], [409, 'APPROVER_REPEATED'])
  assert.deepEqual(stage.calls, [])
})

test('nobody becomes a named approver, or a stranger to an agent of their own, by their own word', async (t) => {
  const safety = { ...buildRefundsContract().safety_rules, approvers: { needs: 1, of: ['ann'] } }
  const contracts = [
    contractWith({ owner: 'mallory', safety_rules: safety as unknown as JsonObject }),
  ]
  const stage = await served(t, { contracts })
  const olga = asking(stage.person('olga', 'operator'))
  const mallory = asking(stage.person('mallory', 'operator', 'approver'))
  const { persons } = (await olga('GET', '/v1/persons')).body
  const idOf = (name: string): string =>
    persons.find((person: { names: readonly string[] }) => person.names.includes(name))?.person_id
  const [own, ann] = [idOf('mallory'), idOf('ann')]
  const other = await olga('POST', `/v1/persons/${own}/identities`, { name: 'mallory.sso' })
  assert.equal(other.status, 200, JSON.stringify(other.body))
  const refuses = async (...said: Parameters<Asking>): Promise<void> => {
    const answer = await mallory(...said)
    assert.deepEqual([answer.status, answer.body.code], [403, 'IDENTITY_OWN'], said.join(' '))
  }
  await refuses('POST', `/v1/persons/${own}/merge`, { into: ann })
  await refuses('POST', `/v1/persons/${ann}/merge`, { into: own })
  await refuses('DELETE', `/v1/persons/${own}/identities?name=mallory.sso`)
  await refuses('POST', `/v1/persons/${own}/identities`, { name: 'somebody' })
  for (const name of ['mallory', 'mallory.sso']) {
    const taken = await olga('DELETE', `/v1/persons/${own}/identities?name=${name}`)
    assert.equal(taken.status, 200, JSON.stringify(taken.body))
    await refuses('POST', `/v1/persons/${ann}/identities`, { name })
    await refuses('POST', '/v1/persons', { name })
  }
})

test('an address that vouches for somebody is linked by others only', async (t) => {
  const more = { roles: { operator: ['managers'], approver: ['managers'] }, trustEmail: true }
  const contract = { safety_rules: buildRefundsContract().safety_rules as unknown as JsonObject }
  const { stage, signedIn } = await withProvider(t, contract, more)
  const jane = await signedIn('jane')
  const made = await asking(stage.person('olga', 'operator'))('POST', '/v1/persons', {
    name: 'ann',
  })
  const path = `/v1/persons/${made.body.person_id}/identities`
  const said = await jane('POST', path, { name: OWNER })
  assert.deepEqual([said.status, said.body.code], [403, 'IDENTITY_OWN'])
})

test('a login that is nobody never becomes somebody by a contract that it deploys', async (t) => {
  const more = { roles: { operator: ['managers'], approver: ['managers'] }, trustEmail: true }
  const { stage, signedIn } = await withProvider(t, { owner: 'jane' }, more)
  const jane = await signedIn('jane')
  const { path, body } = await waiting(stage, jane)
  const source = formatContract(contractWith({ owner: OWNER, agent_id: 'decoy' }))
  const put = await jane('PUT', '/v1/contracts/decoy', { source })
  assert.deepEqual([put.status, put.body.code], [403, 'PERSON_UNKNOWN'])
  assert.match(put.body.fix, /rubicon person link PERSON --issuer/)
  assert.equal((await jane('POST', `${path}/decision`, body)).body.code, 'PERSON_UNKNOWN')
  assert.deepEqual(stage.calls, [])
})

test('a login that is nobody never says whose anything is', async (t) => {
  const safety = { ...buildRefundsContract().safety_rules, approvers: { needs: 1, of: ['ann'] } }
  const contract = { owner: 'owner', safety_rules: safety as unknown as JsonObject }
  const more = { roles: { operator: ['managers'] } }
  const { stage, signedIn } = await withProvider(t, contract, more)
  const jane = await signedIn('jane')
  const { persons } = (await jane('GET', '/v1/persons')).body
  const idOf = (name: string): string => idIn(persons, name)
  const [ann, owner] = [idOf('ann'), idOf('owner')]
  const saidBy = async (who: Asking): Promise<readonly unknown[]> => {
    const said = [
      await who('POST', `/v1/persons/${ann}/identities`, { name: 'jane' }),
      await who('POST', '/v1/persons', { name: 'somebody' }),
      await who('DELETE', `/v1/persons/${ann}/identities?name=jane`),
      await who('POST', `/v1/persons/${ann}/merge`, { into: owner }),
    ]
    return said.map(({ status, body: { code = null } }) => code ?? status)
  }
  const token = asking(stage.person('jane', 'approver'))
  const { path, body } = await waiting(stage, token)
  assert.deepEqual(await saidBy(jane), Array(4).fill('PERSON_UNKNOWN'))
  assert.equal((await token('POST', `${path}/decision`, body)).status, 403)
  assert.deepEqual(stage.calls, [])
  assert.deepEqual(await saidBy(asking(stage.person('olga', 'operator'))), [
    'IDENTITY_TAKEN',
    200,
    'IDENTITY_UNKNOWN',
    200,
  ])
})

test('a login that is nobody has nothing erased: nobody would answer for it', async (t) => {
  const more = { roles: { operator: ['managers'] } }
  const { stage, signedIn } = await withProvider(t, {}, more)
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  await stage.propose(bot, flow)
  const erase = (who: Asking): ReturnType<Asking> =>
    who('POST', `/v1/flows/${flow.dfid}/erasure`, { reason: 'to be rid of it' })
  assert.equal((await erase(await signedIn('jane'))).body.code, 'PERSON_UNKNOWN')
  assert.equal((await erase(asking(stage.person('olga', 'operator')))).status, 200)
})

test('a login that is nobody may stop an agent, and has nothing else done that an operator may do', async (t) => {
  const more = { roles: { operator: ['managers'] } }
  const { stage, signedIn } = await withProvider(t, {}, more)
  const bot = await stage.agent()
  const flow = await stage.open(bot)
  const jane = await signedIn('jane')
  const justification = 'because I say so'
  const move = (body: object): ReturnType<Asking> =>
    jane('POST', '/v1/agents/refunds_bot/transitions', { justification, ...body })
  assert.equal((await move({ to: 'SUSPENDED' })).status, 200)
  const resolution = { outcome: 'applied', evidence: {}, justification }
  const source = { source_id: 'feed', label: 'trusted', paths: ['market.price'] }
  const said = [
    await move({ to: 'ACTIVE' }),
    await move({ to: 'SUSPENDED', revoke: true }),
    await move({ to: 'RETIRED' }),
    await jane('POST', '/v1/sources', source),
    await jane('DELETE', '/v1/sources/feed'),
    await jane('POST', '/v1/observations', { path: 'market.price', value: '1' }),
    await jane('POST', '/v1/writs', { agent: 'refunds_bot' }),
    await jane('POST', '/v1/contracts/refunds_bot/revocation', { reason: justification }),
    await jane('POST', `/v1/executions/${flow.dfid}:step-1/resolution`, resolution),
    await jane('POST', `/v1/flows/${flow.dfid}/resolution`, resolution),
    await jane('POST', `/v1/flows/${flow.dfid}/cancellation`, { reason: justification }),
    await jane('POST', '/v1/trajectories/main/branches', { seq: 0, name: 'elsewhere' }),
  ]
  assert.deepEqual(
    said.map(({ status, body }) => body.code ?? status),
    Array(said.length).fill('PERSON_UNKNOWN'),
  )
  const { statuses, sources } = await stage.runtime.engine.context.authorities.loadLatest()
  assert.equal(statuses.get('refunds_bot'), 'SUSPENDED')
  assert.equal(sources.byId.has('feed'), false)
})

test('a login and its address are one person, or the login decides nothing', async (t) => {
  const safety = { ...buildRefundsContract().safety_rules, approvers: { needs: 1, of: ['ann'] } }
  const contract = { owner: OWNER, safety_rules: safety as unknown as JsonObject }
  const { stage, issuer, signedIn } = await withProvider(t, contract, { trustEmail: true })
  const token = asking(stage.person(OWNER, 'operator'))
  const { persons } = (await token('GET', '/v1/persons')).body
  const link = `/v1/persons/${idIn(persons, 'ann')}/identities`
  assert.equal((await token('POST', link, { issuer, sub: 'jane' })).status, 200)
  const jane = await signedIn('jane')
  assert.equal((await jane('GET', '/v1/session')).body.person, null)
  const { path, body } = await waiting(stage, jane)
  const said = await jane('POST', `${path}/decision`, body)
  assert.deepEqual([said.status, said.body.code], [403, 'PERSON_UNKNOWN'])
  assert.match(said.body.fix, /rubicon person merge/)
  assert.deepEqual(stage.calls, [])
})

test('one human never gives both approvals by a token and a login, whichever comes first', async (t) => {
  const of = [OWNER, 'ann']
  for (const isTokenFirst of [true, false]) {
    const safety = { ...buildRefundsContract().safety_rules, approvers: { needs: 2, of } }
    const contract = { owner: 'owner', safety_rules: safety as unknown as JsonObject }
    const { stage, issuer, signedIn } = await withProvider(t, contract, { trustEmail: true })
    const token = asking(stage.person(OWNER, 'operator', 'approver'))
    const { persons } = (await token('GET', '/v1/persons')).body
    await token('POST', `/v1/persons/${idIn(persons, 'ann')}/identities`, { issuer, sub: 'jane' })
    const jane = await signedIn('jane')
    const { path, body } = await waiting(stage, jane)
    for (const who of isTokenFirst ? [token, jane] : [jane, token])
      await who('POST', `${path}/decision`, body)
    assert.deepEqual(stage.calls, [])
  }
})

test('the address of a login that somebody linked is theirs before a token of that name is met', async (t) => {
  const of = ['ann', 'bob']
  const safety = { ...buildRefundsContract().safety_rules, approvers: { needs: 2, of } }
  const contract = { owner: 'owner', safety_rules: safety as unknown as JsonObject }
  const { stage, issuer, signedIn } = await withProvider(t, contract, { trustEmail: true })
  const olga = asking(stage.person('olga', 'operator'))
  const { persons } = (await olga('GET', '/v1/persons')).body
  await olga('POST', `/v1/persons/${idIn(persons, 'ann')}/identities`, { issuer, sub: 'jane' })
  const jane = await signedIn('jane')
  const { path, body } = await waiting(stage, jane)
  assert.equal((await jane('POST', `${path}/decision`, body)).body.outcome, 'waiting')
  const token = asking(stage.person(OWNER, 'approver'))
  assert.equal((await token('POST', `${path}/decision`, body)).body.code, 'APPROVER_REPEATED')
  assert.deepEqual(await findingsOf(stage), [])
})

test('nobody approves HIGH_IMPACT of an agent under a contract that they had deployed', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { contracts: [contractWith({ owner: 'mallory' })], clock })
  const mallory = asking(stage.person('mallory', 'operator', 'approver'))
  const next = contractWith({ owner: 'straw.man', version: '9.0.0' })
  const source = formatContract(next)
  const put = await mallory('PUT', `/v1/contracts/${next.agent_id}`, {
    source,
    revoke_previous: true,
  })
  assert.equal(put.status, 200, JSON.stringify(put.body))
  const { path, body } = await waiting(stage, mallory)
  clock.ahead(MINUTE)
  const inbox = await mallory('GET', '/v1/inbox?tab=mine')
  assert.deepEqual(inbox.body.waiting, { mine: 0, fast: 0, team: 1 })
  const said = await mallory('POST', `${path}/decision`, body)
  assert.deepEqual([said.status, said.body.code], [403, 'SELF_APPROVAL'])
  assert.deepEqual(stage.calls, [])
  const other = asking(stage.person('ann', 'approver'))
  assert.equal((await other('POST', `${path}/decision`, body)).body.outcome, 'released')
  assert.deepEqual(await findingsOf(stage), [])
})

test('somebody who deploys by a token is registered with what they deploy, and with nothing that is refused', async (t) => {
  const stage = await served(t)
  const olga = asking(stage.person('olga', 'operator'))
  const names = async (): Promise<readonly string[]> =>
    (await olga('GET', '/v1/persons')).body.persons.flatMap(
      (person: { readonly names: readonly string[] }) => person.names,
    )
  const deploy = (change: JsonObject): Promise<HttpAnswer> =>
    olga('PUT', '/v1/contracts/other', {
      source: formatContract(contractWith({ agent_id: 'other', ...change })),
    })
  assert.equal((await deploy({ instance_of: 'refunds_bot' })).status, 422)
  assert.ok(!(await names()).includes('olga'))
  assert.equal((await deploy({ owner: 'olga' })).status, 200)
  assert.equal((await names()).filter((name) => name === 'olga').length, 1)
  assert.deepEqual(await findingsOf(stage), [])
})

test('finding 8f: a person called like an agent never makes a ledger that cannot be verified', async (t) => {
  const clock = createMovableClock()
  const stage = await served(t, { clock })
  const ann = asking(stage.person('ann', 'approver'))
  const strange = asking(stage.person('agent:x', 'approver'))
  const { path, body } = await waiting(stage, ann)
  clock.ahead(MINUTE)
  const said = await strange('POST', `${path}/decision`, body)
  assert.deepEqual(await findingsOf(stage), [])
  assert.equal(said.status, 401, JSON.stringify(said.body))
  assert.deepEqual(stage.calls, [])
})

test('a login of a provider is told how it is linked; linked, it is the person that it belongs to', async (t) => {
  const { stage, signedIn, issuer } = await withProvider(t, { owner: OWNER })
  const operator = asking(stage.person('olga', 'operator'))
  const jane = await signedIn('jane')
  const { path, body } = await waiting(stage, jane)
  const unknown = await jane('POST', `${path}/decision`, body)
  assert.equal(unknown.body.code, 'PERSON_UNKNOWN')
  assert.ok(unknown.body.fix.includes(`rubicon person link PERSON --issuer ${issuer} --sub jane`))
  const { persons } = (await operator('GET', '/v1/persons')).body
  assert.deepEqual(persons[0].names, [OWNER])
  const identities = `/v1/persons/${persons[0].person_id}/identities`
  const linked = await operator('POST', identities, { issuer, sub: 'jane' })
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  assert.equal((await jane('POST', `${path}/decision`, body)).body.code, 'SELF_APPROVAL')
  assert.equal((await jane('GET', '/v1/session')).body.person, persons[0].person_id)
  const other = await operator('POST', '/v1/persons', { name: 'ann@example.com' })
  const taken = `/v1/persons/${other.body.person_id}/identities`
  const twice = await operator('POST', taken, { issuer, sub: 'jane' })
  assert.deepEqual([twice.status, twice.body.code], [409, 'IDENTITY_TAKEN'])
  assert.deepEqual(await findingsOf(stage), [])
})

test('a verified address says who somebody is where the provider is trusted to verify it', async (t) => {
  const { stage, signedIn } = await withProvider(t, { owner: OWNER }, { trustEmail: true })
  const jane = await signedIn('jane')
  const { path, body } = await waiting(stage, jane)
  assert.equal((await jane('POST', `${path}/decision`, body)).body.code, 'SELF_APPROVAL')
  assert.deepEqual(await findingsOf(stage), [])
})

/** An operator takes a name from whoever has it; whose it was. */
async function unlinkName(operator: Asking, name: string): Promise<string> {
  const { persons } = (await operator('GET', '/v1/persons')).body
  const has = ({ names }: { readonly names: readonly string[] }): boolean => names.includes(name)
  const { person_id } = persons.find(has)
  const path = `/v1/persons/${person_id}/identities?name=${encodeURIComponent(name)}`
  const done = await operator('DELETE', path)
  assert.equal(done.status, 200, JSON.stringify(done.body))
  return person_id
}

test('a token whose name an operator unlinked never comes back as somebody new', async (t) => {
  const clock = createMovableClock()
  const contracts = [contractWith({ owner: OWNER })]
  const stage = await served(t, { contracts, clock })
  const operator = asking(stage.person('olga', 'operator'))
  const jane = asking(stage.person('Jane.Doe@example.com', 'approver'))
  const { path, body } = await waiting(stage, jane)
  clock.ahead(MINUTE)
  assert.equal((await jane('POST', `${path}/decision`, body)).body.code, 'SELF_APPROVAL')
  const person = await unlinkName(operator, OWNER)
  await jane('GET', '/v1/escalations')
  const said = await jane('POST', `${path}/decision`, body)
  assert.deepEqual([said.status, said.body.code], [403, 'PERSON_UNKNOWN'])
  assert.deepEqual(stage.calls, [])
  const linked = await operator('POST', `/v1/persons/${person}/identities`, { name: OWNER })
  assert.equal(linked.status, 200, JSON.stringify(linked.body))
  assert.equal((await jane('POST', `${path}/decision`, body)).body.code, 'SELF_APPROVAL')
  assert.deepEqual(await findingsOf(stage), [])
})

test('a deployment, a key and the library never make somebody new of a name that was unlinked', async (t) => {
  const stage = await served(t)
  const { runtime } = stage
  const operator = asking(stage.person('olga', 'operator'))
  await runtime.person('ann@example.com')
  await unlinkName(operator, 'ann@example.com')
  await assert.rejects(runtime.person('ANN@example.com'), { code: 'PERSON_UNLINKED' })
  const next = { ...contractWith({ owner: 'ann@example.com' }), version: '9.0.0' }
  await assert.rejects(runtime.deploy(next as never), { code: 'PERSON_UNLINKED' })
  const again = await operator('POST', '/v1/persons', { name: 'ann@example.com' })
  assert.equal(again.status, 200, JSON.stringify(again.body))
  const { person_id } = again.body
  assert.equal((await runtime.person('ann@example.com')).person_id, person_id)
})

test('a login that an operator unlinked is never linked again by its mail', async (t) => {
  const trusting = { trustEmail: true }
  const { stage, signedIn, issuer } = await withProvider(t, { owner: OWNER }, trusting)
  const operator = asking(stage.person('olga', 'operator'))
  const jane = await signedIn('jane')
  const { path, body } = await waiting(stage, jane)
  assert.equal((await jane('POST', `${path}/decision`, body)).body.code, 'SELF_APPROVAL')
  const { person } = (await jane('GET', '/v1/session')).body
  const login = `issuer=${encodeURIComponent(issuer)}&sub=jane`
  const done = await operator('DELETE', `/v1/persons/${person}/identities?${login}`)
  assert.equal(done.status, 200, JSON.stringify(done.body))
  await jane('GET', '/v1/escalations')
  assert.equal((await jane('POST', `${path}/decision`, body)).body.code, 'PERSON_UNKNOWN')
  assert.equal((await jane('GET', '/v1/session')).body.person, null)
})
