/** What is proposed for tools, on names, hints and templates. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from 'rubicon-kernel'
import { sha256 } from 'rubicon-runtime/system'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { proposeTool } from './propose-tool.ts'
import { findTemplate } from './templates/find-template.ts'

function define(
  name: string,
  annotations?: JsonObject,
  names: readonly string[] = [],
): ToolDefinition {
  return {
    name,
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(names.map((one) => [one, { type: 'string' }])),
      required: names,
    },
    ...(annotations === undefined ? {} : { annotations }),
  }
}

function propose(definition: ToolDefinition, isBounded = true): string {
  const template = findTemplate([definition])
  const options = { template, isBounded: () => isBounded, withSinks: false, sha256 }
  return proposeTool('any', definition, options).treatment
}

test('what reads passes, what writes asks, what destroys is off', () => {
  const expected = {
    get_weather: 'passes',
    listIssues: 'passes',
    'search-mail': 'passes',
    send_mail: 'asks',
    createIssue: 'asks',
    frobnicate: 'asks',
    delete_mail: 'off',
    run_shell: 'off',
    get_and_delete: 'off',
    list_and_send: 'asks',
  }
  for (const [name, treatment] of Object.entries(expected))
    assert.equal(propose(define(name)), treatment, name)
})

test('a hint makes nothing milder than its name says', () => {
  assert.equal(propose(define('delete_mail', { readOnlyHint: true })), 'off')
  assert.equal(propose(define('send_mail', { readOnlyHint: true })), 'asks')
  assert.equal(propose(define('frobnicate', { readOnlyHint: true })), 'asks')
  assert.equal(propose(define('get_weather', { readOnlyHint: false })), 'asks')
  assert.equal(propose(define('get_weather', { destructiveHint: true })), 'off')
})

test('a template reads only what its server does not say that it changes', () => {
  const reads = define('read_graph', { readOnlyHint: true })
  assert.equal(propose(reads), 'passes')
  assert.equal(propose(define('read_graph', { readOnlyHint: false })), 'asks')
})

test('a tool that reads asks as long as nobody has said what its arguments may name', () => {
  const fetch = define('fetch', undefined, ['url'])
  assert.equal(propose(fetch, true), 'passes')
  assert.equal(propose(fetch, false), 'asks')
})

test('a tool with the name of another and other arguments is not what the template knows', () => {
  assert.equal(findTemplate([define('fetch', undefined, ['query'])]), undefined)
  assert.equal(propose(define('fetch', undefined, ['query'])), 'asks')
})

test('arguments by which data leaves are held to facts where somebody asks for it', () => {
  const definition = define('fetch', undefined, ['url'])
  const template = findTemplate([definition])
  const options = { template, isBounded: () => true, withSinks: true, sha256 }
  const { class: said } = proposeTool('any', definition, options)
  assert.deepEqual(said.sinks, { '/url': ['trusted', 'operator'] })
})
