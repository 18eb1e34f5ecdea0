import assert from 'node:assert/strict'
import { test } from 'node:test'
import { redactAddress } from './store-address.ts'

test('a mistyped address is shown with its password', () => {
  const shown: readonly (readonly [string, string])[] = [
    ['postgres:ann:secret@host/db', 'postgres:ann@host/db'],
    ['postgres:/ann:secret@host/db', 'postgres:/ann@host/db'],
    ['pg://ann:secret@host/db?password=secret', 'pg://ann@host/db'],
    ['postgresql:ann:se@cret@host/db', 'postgresql:ann@host/db'],
    ['postgres:host/db?password=secret', 'postgres:host/db'],
    ['--store=postgres:ann:secret@host/db', '--store=postgres:ann@host/db'],
    ['sqlite:./a@b?.db', 'sqlite:./a@b?.db'],
    ['sqlite:C:\\a@b.db', 'sqlite:C:\\a@b.db'],
    ['./a:b@c.ndjson', './a:b@c.ndjson'],
    ['memory', 'memory'],
  ]
  for (const [address, expected] of shown) assert.equal(redactAddress(address), expected)
})
