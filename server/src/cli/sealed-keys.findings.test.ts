import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Options } from './call.ts'
import { EXAMPLE, home, run, runJson } from './cli.test-support.ts'
import { findPassphraseFile } from './passphrase.ts'

const FILES = ['checkpoint.pem', 'issuer.pem', 'kernel.pem', 'operator.pem', 'rows.key']

test('finding 35d: sealed keys open under their passphrase alone, and nothing is made beside them', async () => {
  const { at, folder } = home()
  const keys = join(folder, 'state', 'keys')
  const named = (text: string): readonly string[] => {
    const file = join(folder, `passphrase-${text.length}`)
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
    return ['--passphrase-file', file]
  }
  const [right, wrong] = [named('correct horse battery'), named('incorrect horse battery')]
  const deploy = ['contract', 'deploy', EXAMPLE, ...at]
  assert.equal((await run(deploy)).exit, 0)

  const early = await runJson(['keys', 'list', ...at])
  assert.equal(early.exit, 0)
  const open = await runJson([
    'agents',
    'suspend',
    'refunds_bot',
    '--reason',
    'x',
    '--yes',
    ...at,
    ...right,
  ])
  assert.equal(open.data.error.code, 'KEYS_OPEN')

  const kernel = readFileSync(join(keys, 'kernel.pem'), 'utf8')
  const sealed = await runJson(['keys', 'seal', ...at, ...right])
  assert.deepEqual([...sealed.data.files].sort(), FILES)
  assert.deepEqual(
    readdirSync(keys).sort(),
    [...FILES.map((name) => `${name}.sealed`), 'sealed.salt'].sort(),
  )
  for (const name of readdirSync(keys)) {
    assert.equal(statSync(join(keys, name)).mode & 0o777, 0o600)
    assert.ok(!readFileSync(join(keys, name), 'latin1').includes('PRIVATE'))
  }

  const suspend = ['agents', 'suspend', 'refunds_bot', '--reason', 'x', '--yes', ...at]
  for (const [more, said] of [
    [[], /sealed, and nobody gave the passphrase/],
    [wrong, /does not open under this passphrase/],
    [named('short'), /too short/],
    [['--passphrase-file', join(folder, 'none')], /cannot be read/],
  ] as const) {
    const { exit, data } = await runJson([...suspend, ...more])
    assert.equal(exit, 2)
    assert.match(data.error.summary, said)
  }
  // One who only looks needs no passphrase.
  assert.equal((await run(['monitors', 'list', ...at])).exit, 0)
  assert.match((await run(['doctor', ...at])).stdout, /keys: all in .*, sealed/)

  // A file under another's name is no key, and half a seal is none.
  const [k, o] = ['kernel.pem.sealed', 'operator.pem.sealed'].map((name) => join(keys, name))
  renameSync(k ?? '', `${k}.away`)
  writeFileSync(k ?? '', readFileSync(o ?? ''))
  assert.match((await run([...suspend, ...right])).stderr, /kernel.pem does not open/)
  renameSync(`${k}.away`, k ?? '')
  writeFileSync(join(keys, 'kernel.pem'), kernel, { mode: 0o600 })
  assert.match((await run([...suspend, ...right])).stderr, /lie open/)
  assert.equal((await run(['keys', 'seal', ...at, ...right])).exit, 0)

  assert.equal((await run([...suspend, ...right])).exit, 0)
  const back = await runJson(['keys', 'unseal', '--yes', ...at, ...right])
  assert.deepEqual([...back.data.files].sort(), FILES)
  assert.deepEqual(readdirSync(keys).sort(), FILES)
  assert.equal(readFileSync(join(keys, 'kernel.pem'), 'utf8'), kernel)
  assert.equal((await run(['verify', ...at])).exit, 0)
})

test('finding 35d: the passphrase comes out of a file that is named, or is a credential of systemd', () => {
  const { folder } = home()
  const none = new Options({})
  assert.equal(findPassphraseFile(none, {}), undefined)
  assert.equal(findPassphraseFile(none, { CREDENTIALS_DIRECTORY: folder }), undefined)
  mkdirSync(folder, { recursive: true })
  const credential = join(folder, 'rubicon-passphrase')
  writeFileSync(credential, 'correct horse battery')
  assert.equal(findPassphraseFile(none, { CREDENTIALS_DIRECTORY: folder }), credential)
  const env = { CREDENTIALS_DIRECTORY: folder, RUBICON_PASSPHRASE_FILE: 'a' }
  assert.equal(findPassphraseFile(none, env), 'a')
  assert.equal(findPassphraseFile(new Options({ passphraseFile: 'b' }), env), 'b')
})
