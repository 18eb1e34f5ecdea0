import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClient } from './generated.ts'

const NOBODY = 'http://127.0.0.1:9'

test('a token, or a password of the address, is in what an error says', async () => {
  const asked: string[] = []
  const fetching = (async (input: string) => {
    asked.push(input)
    throw new Error('nobody is asked')
  }) as unknown as typeof fetch
  const word = 'rbo_secret'
  for (const token of [`${word}\nanother`, `${word}\u0000`, `${word}\u2013`]) {
    const headers = () => ({ authorization: `Bearer ${token}` })
    const answer = await createClient({ url: NOBODY, headers, fetch: fetching }).getSession()
    assert.ok(!answer.ok)
    assert.equal(answer.problem.code, 'REQUEST_UNSENDABLE')
    assert.match(answer.problem.detail, /`authorization`/)
    assert.ok(!JSON.stringify(answer).includes(word))
  }
  const url = `http://ann:${word}@127.0.0.1:9`
  const answer = await createClient({ url, fetch: fetching }).getSession()
  assert.equal(!answer.ok && answer.problem.code, 'REQUEST_UNSENDABLE')
  assert.ok(!JSON.stringify(answer).includes(word))
  assert.deepEqual(asked, [])
})

test('a problem that is none of the runtime\u2019s is taken for one', async () => {
  const whole = {
    type: 't',
    title: 'no',
    status: 403,
    code: 'ROLE_MISSING',
    detail: 'no',
    fix: 'f',
  }
  const bodies = [
    'null',
    '[]',
    '{}',
    '"no"',
    JSON.stringify({ ...whole, detail: 7 }),
    JSON.stringify({ type: 'about:blank', title: 'Forbidden', status: 403 }),
    JSON.stringify({ ...whole, fix: {} }),
  ]
  const answering = async (body: string) => {
    const init = { status: 403, headers: { 'content-type': 'application/problem+json' } }
    const fetching = async () => new Response(body, init)
    return createClient({ url: NOBODY, fetch: fetching as typeof fetch }).getSession()
  }
  for (const body of bodies) {
    const answer = await answering(body)
    assert.ok(!answer.ok)
    assert.equal(answer.problem.code, 'ANSWER_UNREADABLE', body)
    assert.equal(typeof answer.problem.detail, 'string')
  }
  const told = await answering(JSON.stringify(whole))
  assert.equal(!told.ok && told.problem.code, 'ROLE_MISSING')
})
