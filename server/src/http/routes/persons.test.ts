import assert from 'node:assert/strict'
import { test } from 'node:test'
import { get, post, problemOf, served } from '../served.test-support.ts'

test('one person is found by id or name, as they count now, by whoever may list them', async (t) => {
  const it = await served(t)
  const olga = it.person('olga', 'operator')
  const register = async (name: string): Promise<string> =>
    (await post(olga, '/v1/persons', { body: { name } })).body.person_id
  const [ann, bob] = [await register('ann@example.com'), await register('bob@example.com')]
  const into = { body: { into: ann } }
  assert.equal((await post(olga, `/v1/persons/${bob}/merge`, into)).status, 200)
  const find = async (who: string): Promise<readonly unknown[]> => {
    const { body } = await get(olga, `/v1/persons?who=${encodeURIComponent(who)}`)
    assert.equal(body.next, null)
    return body.persons.map(({ person_id }: { person_id: string }) => person_id)
  }
  for (const who of [ann, bob, 'ann@example.com', ' ANN@Example.com', 'bob@example.com'])
    assert.deepEqual(await find(who), [ann], who)
  assert.deepEqual(await find('nobody'), [])
  assert.deepEqual(await find(''), [])
  const approver = it.person('pia', 'approver')
  assert.deepEqual(problemOf(await get(approver, `/v1/persons?who=${ann}`)), [403, 'ROLE_MISSING'])
})
