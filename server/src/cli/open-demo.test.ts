import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { type Data, run, runJson } from './cli.test-support.ts'
import { startOpen } from './open-demo.test-support.ts'

test('demos are listed with a line each, and one that is misspelt is named', async () => {
  const { data } = await runJson(['open'])
  assert.equal(data[0].name, 'quickstart')
  assert.ok(data.length > 10)
  const { exit, stderr } = await run(['open', 'comma-catastrofe'])
  assert.equal(exit, 2)
  assert.match(stderr, /did you mean `comma-catastrophe`\?/)
})

test('a finished demo is served until it is stopped, and nothing of it stays', async (t) => {
  // Its clock has been moved ahead.
  const { said, interrupt } = await startOpen(t, 'locks')
  assert.equal(said.expected, true)
  const token = readFileSync(said.token_file, 'utf8').trim()
  const answer = await fetch(`${said.url}/v1/flows`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { flows }: Data = await answer.json()
  assert.ok(flows.length > 0, JSON.stringify(flows))
  assert.deepEqual(await interrupt(), [0, null])
  assert.equal(existsSync(dirname(said.token_file)), false)
})
