import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { CliFailure } from './failure.ts'
import { loadRules } from './rules-module.ts'

const MANIFEST = {
  manifest: 'rubicon/tool/1',
  kind: 'STATUS',
  version: '1',
  summary: 'says how an order stands',
  params: {
    type: 'object',
    properties: { order: { type: 'string' } },
    required: ['order'],
    additionalProperties: false,
  },
  effect: 'read',
  reversible: true,
  risk: 'low',
  executor: {
    http: { method: 'GET', url: 'https://api.example.com/orders/{/order}', applied: [200] },
  },
}
const ALLOWANCE = { scheme: 'https', host: 'api.example.com', methods: ['GET'] }
const CONFIG = { tools: ['status.json'], allow: { http: [ALLOWANCE] } }

function writeFolder(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rubicon-rules-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('rules are a tools file, or a module that names one beside it', async (t) => {
  const folder = writeFolder(t, {
    'status.json': JSON.stringify(MANIFEST),
    'tools.yaml': JSON.stringify(CONFIG),
    'named.mjs': "export const tools = 'tools.yaml'",
    'said.mjs': `export const tools = ${JSON.stringify(CONFIG)}\nexport const capabilities = []`,
  })
  for (const name of ['tools.yaml', 'named.mjs', 'said.mjs']) {
    const { capabilities, policies } = await loadRules(join(folder, name))
    assert.deepEqual([capabilities.map(({ kind }) => kind), policies], [['STATUS'], []], name)
  }
})

test('what is neither, and what may not do what it would, is refused', async (t) => {
  const folder = writeFolder(t, {
    'status.json': JSON.stringify(MANIFEST),
    'denied.yaml': 'tools: [status.json]',
    'number.mjs': 'export const tools = 7',
    'code.mjs': 'export const tools = () => {}',
    'nothing.mjs': 'export const other = 1',
  })
  const codes = {
    'denied.yaml': 'TOOL_DENIED',
    'number.mjs': 'RULES_MODULE',
    'code.mjs': 'RULES_MODULE',
  }
  for (const [name, code] of Object.entries({ ...codes, 'nothing.mjs': 'RULES_MODULE' }))
    await assert.rejects(loadRules(join(folder, name)), (error) => {
      assert.ok(error instanceof CliFailure, String(error))
      assert.equal(error.failure.code, code, name)
      return true
    })
})

test('a module that is not there is told from one that cannot be read, and its neighbour is named', async (t) => {
  const folder = writeFolder(t, { 'rules.mjs': "import './gone.mjs'" })
  const explain = async (name: string): Promise<string> => {
    const error = await loadRules(join(folder, name)).catch((cause: unknown) => cause)
    assert.ok(error instanceof CliFailure)
    return `${error.failure.why}; ${error.failure.fix}`
  }
  assert.match(await explain('rulez.mjs'), /^there is no such file; did you mean .*rules\.mjs/)
  assert.match(await explain('rules.mjs'), /gone\.mjs/)
})
