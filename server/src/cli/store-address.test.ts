import assert from 'node:assert/strict'
import { test } from 'node:test'
import { home, run } from './cli.test-support.ts'

test('a verb that cannot read an address says its password', async () => {
  const { at } = home()
  for (const address of ['pg://ann:secret@host/db', 'postgres:ann:secret@host/db']) {
    const { exit, stdout, stderr } = await run(['verify', address, ...at.slice(2)])
    assert.equal(exit, 2)
    assert.ok(!`${stdout}${stderr}`.includes('secret'), stderr)
  }
})
