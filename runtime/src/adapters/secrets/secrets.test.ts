import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { LIMITS } from 'rubicon-kernel'
import { SecretUnavailable } from '../../ports/secrets.ts'
import { temporaryFolder } from '../../temporary-folder.test-support.ts'
import { createCommandSecret } from './command-secret.ts'
import { createEnvironmentSecret } from './environment-secret.ts'
import { createFileSecret } from './file-secret.ts'

const VALUE = 'canary-7f3a9c'

/** Refused, in words that do not hold the secret. */
function isRefused(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SecretUnavailable, String(error))
    assert.match(error.message, pattern)
    assert.ok(!`${error.message}${error.stack}`.includes('canary'), error.message)
    return true
  }
}

function writeSecret(text: string | Buffer, mode = 0o600): string {
  const path = join(temporaryFolder(), 'secret')
  writeFileSync(path, text)
  chmodSync(path, mode)
  return path
}

test('a variable is read under its prefix, and only there', async () => {
  const environment = { RUBICON_SECRET_KEY: VALUE, KEY: 'another-canary' }
  assert.equal(await createEnvironmentSecret('KEY', environment).read(), VALUE)
  await assert.rejects(createEnvironmentSecret('OTHER', environment).read(), isRefused(/not set/))
  const short = { RUBICON_SECRET_KEY: 'canary7' }
  await assert.rejects(createEnvironmentSecret('KEY', short).read(), isRefused(/shorter than 8/))
  const long = { RUBICON_SECRET_KEY: 'canary'.repeat(LIMITS.secretLength) }
  await assert.rejects(createEnvironmentSecret('KEY', long).read(), isRefused(/longer/))
})

test('a file of its owner alone is read, without its line end', async () => {
  for (const text of [VALUE, `${VALUE}\n`, `${VALUE}\r\n`])
    assert.equal(await createFileSecret(writeSecret(text)).read(), VALUE)
  assert.equal(await createFileSecret(writeSecret(VALUE, 0o400)).read(), VALUE)
})

test('a file that others can read, or that is none, is refused', async () => {
  for (const mode of [0o644, 0o640, 0o604, 0o660, 0o622, 0o700, 0o4600])
    await assert.rejects(createFileSecret(writeSecret(VALUE, mode)).read(), isRefused(/mode/))
  const folder = temporaryFolder()
  const link = join(folder, 'link')
  symlinkSync(writeSecret(VALUE), link)
  await assert.rejects(createFileSecret(link).read(), isRefused(/symbolic link/))
  mkdirSync(join(folder, 'folder'), { mode: 0o600 })
  await assert.rejects(createFileSecret(join(folder, 'folder')).read(), isRefused(/regular/))
  await assert.rejects(createFileSecret(join(folder, 'none')).read(), isRefused(/ENOENT/))
  execFileSync('mkfifo', ['-m', '600', join(folder, 'pipe')])
  await assert.rejects(createFileSecret(join(folder, 'pipe')).read(), isRefused(/regular/))
  const hard = join(folder, 'hard')
  linkSync(writeSecret(VALUE), hard)
  assert.equal(await createFileSecret(hard).read(), VALUE)
})

test('what is in a file is text of a length that can be removed again', async () => {
  const texts: readonly (readonly [string | Buffer, RegExp])[] = [
    ['', /shorter/],
    ['canary7\n', /shorter/],
    ['canary\0canary', /not text/],
    [Buffer.from([0xff, 0xfe, 1, 2, 3, 4, 5, 6, 7]), /UTF-8/],
    ['canary'.repeat(20_000), /large|longer/],
  ]
  for (const [text, pattern] of texts)
    await assert.rejects(createFileSecret(writeSecret(text)).read(), isRefused(pattern))
})

test('a command gives the secret, and nothing it says otherwise is told', async () => {
  const node = process.execPath
  const run = (code: string): Promise<string> => createCommandSecret([node, '-e', code]).read()
  assert.equal(await run(`console.log('${VALUE}')`), VALUE)
  await assert.rejects(run(`console.error('${VALUE}'); process.exit(3)`), isRefused(/ended with 3/))
  await assert.rejects(run(`console.log('canary'); `), isRefused(/shorter/))
  await assert.rejects(run(`for(;;) console.log('${VALUE}')`), isRefused(/as it should/))
  await assert.rejects(
    createCommandSecret(['/nowhere/canary']).read(),
    isRefused(/could not be started/),
  )
  process.env.RUBICON_SECRET_OTHER = 'not for a command'
  const environment = await run('console.log(JSON.stringify(process.env))')
  delete process.env.RUBICON_SECRET_OTHER
  assert.ok(!environment.includes('RUBICON_'), environment)
})
