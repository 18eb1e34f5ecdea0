/**
 * Documents: those that all agents find, which operators write, and those that an agent keeps for itself,
 * which no other agent finds.
 */
import { type JsonValue, LIMITS } from 'rubicon-kernel'
import type { DocumentSummary, DocumentText, Indexed, Owner } from 'rubicon-runtime/engine/context'
import type { Principal, Role } from '../../people/principal.ts'
import { refuseOtherAgent } from '../agent-auth/own-agent.ts'
import { pickSession } from '../agent-auth/session-of.ts'
import { toProblemReply } from '../problems/problem.ts'
import { factLabel, textFlag } from '../schemas/fact.ts'
import { type Reply, type Route, type RouteRequest, toReply } from '../schemas/route.ts'
import {
  allowNull,
  boolean,
  buildArray,
  buildClosedObject,
  buildPageSchema,
  buildWholeObject,
  count,
  cursor,
  limit,
  nameSchema,
  natural,
  parseLimit,
  string,
  text,
} from '../schemas/shape.ts'
import type { ServerParts } from '../server-parts.ts'
import { DocumentWrites } from '../turns/document-writes.ts'
import { buildPage, parseCursor } from '../views/list-page.ts'

const summary = nameSchema(
  'Document',
  buildWholeObject<DocumentSummary>({
    name: string,
    title: string,
    label: factLabel,
    hash: string,
    chunks: count,
  }),
)

const documentText = nameSchema(
  'DocumentText',
  buildWholeObject<DocumentText>({
    name: string,
    title: string,
    label: factLabel,
    hash: string,
    chunks: count,
    pieces: buildArray(string),
    next: allowNull(count),
  }),
)

const indexed = nameSchema(
  'IndexedDocument',
  buildWholeObject<Indexed>({
    name: string,
    hash: string,
    chunks: count,
    flags: buildArray(textFlag),
  }),
)

const writing = buildClosedObject(
  { title: text(LIMITS.identifierLength), text: text(LIMITS.json.bytes) },
  ['title', 'text'],
)

type Writing = { readonly title: string; readonly text: string }

export function createDocumentRoutes(parts: ServerParts): readonly Route[] {
  const writes = new DocumentWrites(parts.engine.context.clock)
  return [...createSharedDocumentRoutes(parts, writes), ...createOwnDocumentRoutes(parts, writes)]
}

/** What all agents find. */
function createSharedDocumentRoutes(
  { engine }: ServerParts,
  writes: DocumentWrites,
): readonly Route[] {
  const { contextStore } = engine
  const readers: readonly Role[] = ['operator', 'approver', 'auditor', 'agent']
  return [
    {
      method: 'GET',
      path: '/v1/artifacts',
      operation: 'listArtifacts',
      summary: 'the reference documents of all agents, by name',
      roles: readers,
      query: buildClosedObject({ cursor, limit }),
      reply: buildPageSchema('documents', summary),
      handle: (asked) => list(contextStore, asked, null),
    },
    {
      method: 'GET',
      path: '/v1/artifacts/:name',
      operation: 'getArtifact',
      summary: 'one of them, in pieces; `from` is the first',
      roles: readers,
      query: buildClosedObject({ from: natural }),
      reply: documentText,
      heavy: true,
      handle: (asked) => read(contextStore, asked, null),
    },
    {
      method: 'PUT',
      path: '/v1/artifacts/:name',
      operation: 'putArtifact',
      summary: 'add a document for all agents; one of the same name is replaced',
      roles: ['operator'],
      body: writing,
      reply: indexed,
      handle: (asked) =>
        writes.write(asked, async (pause) => {
          const document = { name: asked.params.name ?? '', ...parseWriting(asked.body) }
          const put = await contextStore.putArtifact(document, { pause })
          return put.ok ? toReply(put.value) : toProblemReply(put.error)
        }),
    },
    {
      method: 'DELETE',
      path: '/v1/artifacts/:name',
      operation: 'dropArtifact',
      summary: 'delete one permanently',
      roles: ['operator'],
      reply: buildWholeObject({ name: string, dropped: boolean }),
      handle: (asked) =>
        writes.write(asked, async (pause) => {
          const { name = '' } = asked.params
          const dropped = await contextStore.dropArtifact(name, { pause })
          return dropped.ok ? toReply({ name, dropped: true }) : toProblemReply(dropped.error)
        }),
    },
  ]
}

/** What an agent keeps for itself. */
function createOwnDocumentRoutes(
  { engine }: ServerParts,
  writes: DocumentWrites,
): readonly Route[] {
  const { contextStore } = engine
  const path = '/v1/agents/:id/documents/:name'
  const readers: readonly Role[] = ['operator', 'auditor', 'agent']
  return [
    {
      method: 'GET',
      path: '/v1/agents/:id/documents',
      operation: 'listDocuments',
      summary: 'the documents of one agent, by name',
      roles: readers,
      query: buildClosedObject({ cursor, limit }),
      reply: buildPageSchema('documents', summary),
      handle: (asked) => performForOwner(asked, (agent) => list(contextStore, asked, agent)),
    },
    {
      method: 'GET',
      path,
      operation: 'getDocumentOfAgent',
      summary: 'one of them, in pieces; `from` is the first',
      roles: readers,
      query: buildClosedObject({ from: natural }),
      reply: documentText,
      heavy: true,
      handle: (asked) => performForOwner(asked, (agent) => read(contextStore, asked, agent)),
    },
    {
      method: 'PUT',
      path,
      operation: 'putDocument',
      summary:
        'add a document of the agent’s own; one of the same name is replaced, and no other agent sees it',
      roles: ['agent'],
      body: writing,
      reply: indexed,
      handle: (asked) =>
        performForOwner(asked, (agent) => {
          const { params, body, principal } = asked
          const document = { name: params.name ?? '', ...parseWriting(body) }
          return writes.write(asked, async (pause) => {
            const options = { ...pickSession(principal), pause }
            const put = await contextStore.putDocument(agent, document, options)
            return put.ok ? toReply(put.value) : toProblemReply(put.error)
          })
        }),
    },
    {
      method: 'DELETE',
      path,
      operation: 'dropDocument',
      summary: 'delete one permanently',
      roles: ['operator', 'agent'],
      reply: buildWholeObject({ name: string, dropped: boolean }),
      handle: (asked) =>
        performForOwner(asked, (agent) => {
          const { principal, params } = asked
          const { name = '' } = params
          return writes.write(asked, async (pause) => {
            const options = { ...pickSession(principal), pause }
            const dropped = await contextStore.dropDocument(agent, name, options)
            return dropped.ok ? toReply({ name, dropped: true }) : toProblemReply(dropped.error)
          })
        }),
    },
  ]
}

type Layers = ServerParts['engine']['contextStore']

/** Of the agent in the address, by itself or by a person. */
async function performForOwner(
  { principal, params: { id = '' } }: Pick<RouteRequest, 'principal' | 'params'>,
  work: (agent: string) => Promise<Reply>,
): Promise<Reply> {
  return refuseOtherAgent(principal, id) ?? work(id)
}

async function list(
  layers: Layers,
  { principal, query }: { readonly principal: Principal } & Pick<RouteRequest, 'query'>,
  owner: Owner,
): Promise<Reply> {
  const place = parseCursor(query, 1)
  if (!place.ok) return place.error
  const [after] = place.value ?? []
  const most = parseLimit(query)
  const range = { limit: most + 1, ...(after === undefined ? {} : { after }) }
  const found = await layers.documents(owner, { ...pickSession(principal), ...range })
  if (!found.ok) return toProblemReply(found.error)
  return toReply(buildPage('documents', found.value, most, ({ name }) => [name]))
}

async function read(layers: Layers, asked: RouteRequest, owner: Owner): Promise<Reply> {
  const { principal, params, query } = asked
  const options = { ...pickSession(principal), from: Number(query.from ?? 0) }
  const found = await layers.document(owner, params.name ?? '', options)
  return found.ok ? toReply(found.value) : toProblemReply(found.error)
}

function parseWriting(body: JsonValue): Writing {
  return body as unknown as Writing
}
