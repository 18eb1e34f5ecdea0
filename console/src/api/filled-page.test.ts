import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClientAnswer } from 'rubicon-agents/client'
import { loadFilledPage } from './filled-page.ts'

type Page = { readonly rows: readonly number[]; readonly next: string | null }

/** Pages in a row; `asked` names those that were asked for. */
function pages(...all: readonly (readonly number[])[]): {
  readonly asked: (string | undefined)[]
  ask(cursor: string | undefined): Promise<ClientAnswer<Page>>
} {
  const asked: (string | undefined)[] = []
  return {
    asked,
    async ask(cursor) {
      asked.push(cursor)
      const at = Number(cursor ?? 0)
      const next = at + 1 < all.length ? String(at + 1) : null
      return { ok: true, status: 200, body: { rows: all[at] ?? [], next } }
    },
  }
}

const never = new AbortController().signal

test('empty pages are passed until one has something, or there are no more', async () => {
  const some = pages([], [], [7], [8])
  const found = await loadFilledPage(some.ask, undefined, never)
  assert.deepEqual(found.ok && found.body, { rows: [7], next: '3' })
  assert.deepEqual(some.asked, [undefined, '1', '2'])
  const none = pages([], [])
  const end = await loadFilledPage(none.ask, '1', never)
  assert.deepEqual(end.ok && end.body, { rows: [], next: null })
  assert.deepEqual(none.asked, ['1'])
})

test('whoever has left asks for nothing more', async () => {
  const some = pages([], [], [7])
  await loadFilledPage(some.ask, undefined, AbortSignal.abort())
  assert.deepEqual(some.asked, [undefined])
})
