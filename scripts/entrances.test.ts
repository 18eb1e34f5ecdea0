/** What the runtime has for the packages of this repository is what they use: nothing stands there for nobody. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from './shell.ts'
import { PACKAGES } from './walls.ts'

const USERS = ['agents', 'server', 'scenarios', 'console', 'sim', 'bench']

function parseExportedNames(text: string): readonly string[] {
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((one) => one.trim().replace(/^type /, ''))
      .filter((one) => one !== ''),
  )
}

test('a name is exported for other packages, and none of them uses it', () => {
  const texts = USERS.flatMap((workspace) =>
    globSync(`${workspace}/src/**/*.{ts,tsx}`, { cwd: ROOT }),
  )
    .map((file) => readFileSync(join(ROOT, file), 'utf8'))
    .filter((text) => text.includes("'rubicon-runtime/"))
  const indexes = Object.entries(PACKAGES).filter(
    ([name, file]) => name.startsWith('rubicon-runtime/') && basename(file) === 'index.ts',
  )
  assert.ok(indexes.length > 15, 'the rooms of the engine and the folders beside it')
  const unused = indexes.flatMap(([name, file]) => {
    const users = texts.filter((text) => text.includes(`'${name}'`))
    return parseExportedNames(readFileSync(join(ROOT, file), 'utf8'))
      .filter((one) => !users.some((text) => new RegExp(`\\b${one}\\b`).test(text)))
      .map((one) => `${name}: ${one}`)
  })
  assert.deepEqual(unused, [])
})
