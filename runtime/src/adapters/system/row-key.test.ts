import assert from 'node:assert/strict'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { openKeyFolder } from './key-folder.ts'
import { openRowKey } from './row-key.ts'

test('a key is made once, for its owner alone, and vouches for the same texts again', () => {
  const folder = join(temporaryFolder(), 'keys')
  const code = openRowKey(openKeyFolder(folder)).code('a row')
  assert.deepEqual(readdirSync(folder), ['rows.key'])
  assert.equal(statSync(join(folder, 'rows.key')).mode & 0o777, 0o600)
  const again = openRowKey(openKeyFolder(folder))
  assert.equal(again.isCode('a row', code), true)
  assert.equal(again.isCode('a roW', code), false)
  assert.equal(again.isCode('a row', ''), false)
  assert.equal(openRowKey(openKeyFolder(temporaryFolder())).isCode('a row', code), false)
})

test('a key that is given takes the place of the file, and one of another length is refused', () => {
  const folder = temporaryFolder()
  const given = new Uint8Array(32).fill(7)
  assert.equal(
    openRowKey(openKeyFolder(folder), given).isCode(
      'a row',
      openRowKey(openKeyFolder(folder), given).code('a row'),
    ),
    true,
  )
  assert.deepEqual(readdirSync(folder), [])
  writeFileSync(join(folder, 'rows.key'), 'short')
  assert.throws(() => openRowKey(openKeyFolder(folder)), /32 bytes, and not 5/)
})

test('a code has one spelling: others of the same bytes are none', () => {
  const mac = openRowKey(openKeyFolder(temporaryFolder()), new Uint8Array(32).fill(7))
  const code = mac.code('a row')
  const last = code.at(-2) ?? ''
  for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
    assert.equal(mac.isCode('a row', `${code.slice(0, -2)}${letter}=`), letter === last, letter)
  for (const other of [code.slice(0, -1), `${code}=`, ` ${code}`, `${code}\n`])
    assert.equal(mac.isCode('a row', other), false)
})
