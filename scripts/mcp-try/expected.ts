/** Every tool of the reference servers: how a person would classify it, how it is called, and what must come of that. */
import type { JsonObject } from 'rubicon-kernel'

export type ExpectedTool = {
  readonly server: ReferenceServer
  readonly tool: string
  /** As `rubicon mcp approve --class` says it; null: nobody has classified it. */
  readonly class: 'destroy' | 'read' | 'write' | null
  readonly args: JsonObject
  /** `same`: the result of a direct call, errors of the tool included. Else the code with which the gateway answers. */
  readonly outcome: 'same' | 'PENDING_APPROVAL' | 'RBAC_DENIED'
  /** Parts of a result that are never the same twice. */
  readonly varies?: RegExp
}

export type ReferenceServer = 'everything' | 'files' | 'memory'

type Row = Omit<ExpectedTool, 'outcome' | 'server' | 'tool'> & Partial<ExpectedTool>

/** In the order in which they are called: what is made first is read, changed and removed later. */
export function listExpected(data: string): readonly ExpectedTool[] {
  return [
    ...toTools('everything', EVERYTHING),
    ...toTools('files', listFileTools(data)),
    ...toTools('memory', MEMORY),
  ]
}

function toTools(
  server: ReferenceServer,
  rows: Readonly<Record<string, Row>>,
): readonly ExpectedTool[] {
  return Object.entries(rows).map(([tool, row]) => ({ server, tool, outcome: 'same', ...row }))
}

const EVERYTHING: Readonly<Record<string, Row>> = {
  echo: { class: 'read', args: { message: 'hello' } },
  'get-annotated-message': {
    class: 'read',
    args: { messageType: 'success', includeImage: true },
  },
  // It shows the variables of its process, whatever its hints say.
  'get-env': { class: null, args: {}, outcome: 'PENDING_APPROVAL' },
  'get-resource-links': { class: 'read', args: { count: 2 } },
  'get-resource-reference': {
    class: 'read',
    args: { resourceType: 'Text', resourceId: 1 },
    varies: /at \d[^"]*|\d+:\d+:\d+[^"]*/g,
  },
  'get-structured-content': { class: 'read', args: { location: 'Chicago' } },
  'get-sum': { class: 'read', args: { a: 2, b: 3 } },
  'get-tiny-image': { class: 'read', args: {} },
  'gzip-file-as-resource': {
    class: 'write',
    args: { name: 'a.gz', data: 'data:text/plain,hello', outputType: 'resourceLink' },
  },
  'toggle-simulated-logging': { class: 'write', args: {} },
  'toggle-subscriber-updates': { class: 'write', args: {}, outcome: 'RBAC_DENIED' },
  'trigger-long-running-operation': { class: 'read', args: { duration: 0.2, steps: 2 } },
  // To be called as a task only, which neither client does here: the server answers both with an error.
  'simulate-research-query': { class: 'write', args: { topic: 'rivers' } },
}

const TIMES = /(created|modified|accessed): [^\\]*/g

function listFileTools(data: string): Readonly<Record<string, Row>> {
  const note = `${data}/note.txt`
  return {
    read_file: { class: 'read', args: { path: note } },
    read_text_file: { class: 'read', args: { path: note, head: 1 } },
    read_media_file: { class: 'read', args: { path: `${data}/dot.png` } },
    read_multiple_files: { class: 'read', args: { paths: [note, `${data}/none.txt`] } },
    write_file: { class: 'write', args: { path: `${data}/new.txt`, content: 'made' } },
    edit_file: {
      class: 'write',
      args: { path: note, edits: [{ oldText: 'hello', newText: 'good day' }] },
    },
    create_directory: { class: 'write', args: { path: `${data}/more` } },
    list_directory: { class: 'read', args: { path: data } },
    list_directory_with_sizes: { class: 'read', args: { path: data, sortBy: 'name' } },
    directory_tree: { class: 'read', args: { path: data } },
    search_files: { class: 'read', args: { path: data, pattern: '*.txt' } },
    get_file_info: { class: 'read', args: { path: note }, varies: TIMES },
    list_allowed_directories: { class: 'read', args: {} },
    // The last: after it the folder is another one than behind the gateway, where it waits.
    move_file: {
      class: 'write',
      args: { source: `${data}/new.txt`, destination: `${data}/moved.txt` },
      outcome: 'PENDING_APPROVAL',
    },
  }
}

const RELATION = { from: 'Ann', to: 'Acme', relationType: 'works at' }

const MEMORY: Readonly<Record<string, Row>> = {
  create_entities: {
    class: 'write',
    args: {
      entities: [
        { name: 'Ann', entityType: 'person', observations: ['is tall'] },
        { name: 'Acme', entityType: 'company', observations: [] },
      ],
    },
  },
  create_relations: { class: 'write', args: { relations: [RELATION] } },
  add_observations: {
    class: 'write',
    args: { observations: [{ entityName: 'Ann', contents: ['reads a lot'] }] },
  },
  read_graph: { class: 'read', args: {} },
  search_nodes: { class: 'read', args: { query: 'tall' } },
  open_nodes: { class: 'read', args: { names: ['Ann'] } },
  delete_observations: {
    class: 'destroy',
    args: { deletions: [{ entityName: 'Ann', observations: ['is tall'] }] },
  },
  delete_relations: { class: 'destroy', args: { relations: [RELATION] } },
  delete_entities: { class: 'destroy', args: { entityNames: ['Acme'] } },
}
