import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from 'rubicon-agents/client'
import { findExecution } from './find-execution.ts'

const PAGES: Readonly<
  Record<string, { readonly steps: readonly string[]; readonly next: string | null }>
> = {
  first: { steps: ['4', '3'], next: 'second' },
  second: { steps: ['2', '1'], next: null },
}

test('an effect is found on whatever page it is, and no page is read behind it', async () => {
  const asked: string[] = []
  const listExecutions = async ({ query }: { readonly query?: { readonly cursor?: string } }) => {
    const page = query?.cursor ?? 'first'
    asked.push(page)
    const { steps = [], next = null } = PAGES[page] ?? {}
    const executions = steps.map((step_id) => ({ step_id }))
    return { ok: true, status: 200, headers: new Headers(), body: { executions, next } }
  }
  const client = { listExecutions } as unknown as Pick<Client, 'listExecutions'>
  const find = async (step: string): Promise<string | null> => {
    const answer = await findExecution(client, 'f', step, new AbortController().signal)
    assert.ok(answer.ok)
    return answer.body.found?.step_id ?? null
  }
  assert.equal(await find('3'), '3')
  assert.equal(await find('1'), '1')
  assert.equal(await find('9'), null)
  assert.deepEqual(asked, ['first', 'first', 'second', 'first', 'second'])
})
