/** Mistakes of the gateway about the programs behind it. */
import type { Edit, Patch } from './patch.ts'

const UPSTREAM = 'gateway/src/upstream/upstream.ts'
const LIST = 'gateway/src/upstream/list-tools.ts'
const HANDS = 'gateway/src/upstream/mcp-hands.ts'
const EXCHANGE = 'gateway/src/upstream/exchange.ts'

function plant(name: string, title: string, edit: Edit): Patch {
  return {
    name,
    test: { file: 'gateway/src/upstream/hostile-program.test.ts', title },
    edits: [edit],
  }
}

export const MCP_SERVER_PATCHES: readonly Patch[] = [
  plant(
    'mcp-secrets-listed',
    'a resource, a template or a prompt with a secret of its server in it is not listed',
    {
      ...{ file: 'gateway/src/upstream/listed-things.ts', function: 'readThings' },
      before: 'thing === undefined || hasSecret(thing, redaction)',
      after: 'thing === undefined || redaction === undefined',
    },
  ),
  plant(
    'mcp-errors-told-as-nothing',
    'an error after the call was sent is never told as nothing having happened',
    {
      ...{ file: EXCHANGE, function: 'exchange' },
      before: '!isSent || isNotSent(cause)',
      after: '!isSent || isNotSent(cause) || (cause as { code?: number }).code === -32_602',
    },
  ),
  {
    name: 'mcp-unsent-reads-unknown',
    test: {
      file: 'gateway/src/upstream/send-pinned.test.ts',
      title:
        'a server that cannot be connected to was not asked to read, and that is not called unknown',
    },
    edits: [
      {
        ...{ file: EXCHANGE, function: 'exchange' },
        before: '!isSent || isNotSent(cause)',
        after: '!isSent || (isNotSent(cause) && question.isAnswer === undefined)',
      },
    ],
  },
  plant(
    'mcp-name-listed-twice',
    'a name that a server lists twice is no tool, whichever of the two was approved',
    {
      ...{ file: LIST, function: 'refuseCollisions' },
      before: 'groups.filter(({ length }) => length === 1).flat()',
      after: 'definitions',
    },
  ),
  plant(
    'mcp-list-held-as-long-as-its-server-says',
    'a definition that has changed is noticed, however long a server says that its list holds',
    {
      ...{ file: LIST, function: 'readTools' },
      before: "cacheMode: 'refresh'",
      after: "cacheMode: 'use'",
    },
  ),
  plant(
    'mcp-errors-quoted-as-they-are',
    'a secret that a server says in an error of its list is not told',
    {
      ...{ file: UPSTREAM, function: 'describe' },
      before: 'this.redaction.redactText(describeCause(cause))',
      after: 'describeCause(cause)',
    },
  ),
  plant(
    'mcp-definition-with-a-secret',
    'a definition with a secret of its server in it is no tool',
    {
      ...{ file: 'gateway/src/upstream/read-definition.ts', function: 'readDefinition' },
      before: 'return isClean ?',
      after: 'return isClean || said.name ?',
    },
  ),
  plant(
    'mcp-answers-written-unchecked',
    'an answer that cannot be recorded is withheld, and the call stays answered',
    {
      ...{ file: 'gateway/src/upstream/to-json.ts', function: 'toJson' },
      before: 'checked.ok && isObject(checked.value) ? checked.value : undefined',
      after: 'checked.ok ? (checked.value as JsonObject) : JSON.parse(JSON.stringify(value))',
    },
  ),
  plant(
    'mcp-list-waited-for-without-end',
    'a server that never comes to the end of its list holds up a call no longer than its time',
    {
      ...{ file: HANDS, function: 'listInTime' },
      before: "signal.addEventListener('abort', giveUp, { once: true })",
      after: 'void giveUp',
    },
  ),
  plant('mcp-sent-after-a-sleep', 'a call is not sent by a process that slept past its time', {
    ...{ file: UPSTREAM, function: '#send' },
    before: 'if (signal.aborted)',
    after: 'if (signal === undefined)',
  }),
  plant(
    'mcp-connection-lost-to-an-older-one',
    'a program that ends late does not take the connection of the next with it',
    {
      ...{ file: UPSTREAM, function: '#release' },
      before: 'this.#connection !== ended',
      after: 'ended === undefined',
    },
  ),
  {
    name: 'mcp-arguments-without-names',
    test: {
      file: 'runtime/src/tools/openapi/convert-tool-schema.test.ts',
      title:
        'an argument that a schema does not name is not sent, whatever the schema says of others',
    },
    edits: [
      {
        file: 'runtime/src/tools/openapi/convert-tool-schema.ts',
        function: 'convertToolSchema',
        before: '{ properties: {}, ...converted, additionalProperties: false }',
        after: '{ properties: {}, additionalProperties: false, ...converted }',
      },
    ],
  },
  {
    name: 'mcp-approvals-at-once',
    test: {
      file: 'server/src/cli/mcp-approve.test.ts',
      title: 'of two approvals at once none undoes the other',
    },
    edits: [
      {
        file: 'gateway/src/lock/change-lock.ts',
        function: 'openDraft',
        before: "openSync(draft, 'wx', 0o644)",
        after: "openSync(draft, 'w', 0o644)",
      },
    ],
  },
  {
    name: 'mcp-answers-without-end',
    test: {
      file: 'gateway/src/upstream/fetch-bounded.test.ts',
      title: 'an answer without end is not read to its end, as JSON or as one event',
    },
    edits: [
      {
        file: 'gateway/src/upstream/fetch-bounded.ts',
        function: 'createBound',
        before: 'length > MCP_LIMITS.messageBytes',
        after: 'length < 0',
      },
    ],
  },
  {
    name: 'mcp-library-speaks-on-stdout',
    test: {
      file: 'gateway/src/upstream/without-tools.test.ts',
      title:
        'a server without tools has an empty list, and nothing is written to standard output about it',
    },
    edits: [
      {
        file: LIST,
        function: 'readTools',
        before: 'if (client.getServerCapabilities()?.tools === undefined)',
        after: 'if (client.getServerCapabilities() === undefined)',
      },
    ],
  },
]
