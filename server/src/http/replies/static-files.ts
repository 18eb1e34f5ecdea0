/**
 * The files of the console and of the docs, as they were built. What can be asked for is what was there
 * when the first server of the process started: a path is looked up among those, never resolved on the disk.
 */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CONSOLE_HEADERS } from '../connections/headers.ts'
import type { Reply } from '../schemas/route.ts'

export type StaticFiles = {
  /** Null: nothing of that name is here. */
  find(asked: StaticAsked): Reply | null
}

export type StaticAsked = {
  /** As in the request line. */
  readonly url: string
  /** `If-None-Match` */
  readonly known: string | undefined
  /** `Accept` */
  readonly accepts?: string | undefined
}

/** Beside the package, or in the workspace next door. */
const PLACES: readonly string[] = ['../../../console/', '../../../../console/dist/']

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.css', 'text/css; charset=utf-8'],
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.json', 'application/json; charset=utf-8'],
  ['.png', 'image/png'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.wasm', 'application/wasm'],
  ['.woff2', 'font/woff2'],
])

/** Names with a hash of their bytes: what stands behind one never changes. */
const HASHED = '/assets/'
const START = '/index.html'
const MISSING = '/docs/404.html'

export function findBuiltConsole(): string | null {
  const places = PLACES.map((place) => fileURLToPath(new URL(place, import.meta.url)))
  return places.find((place) => existsSync(join(place, 'index.html'))) ?? null
}

let ours: StaticFiles | undefined

/** Those of this process. Its servers have them in common, on a port and on a Unix socket: they are read once. */
export function loadOwnStaticFiles(): StaticFiles {
  ours ??= loadStaticFiles()
  return ours
}

/** `folder` null: the console was not built, and its pages say so. */
export function loadStaticFiles(folder: string | null = findBuiltConsole()): StaticFiles {
  if (folder === null) return { find: ({ url }) => (isPage(stripQuery(url)) ? notBuilt : null) }
  const files = readFiles(folder)
  return {
    find({ url, known, accepts }) {
      const path = stripQuery(url)
      const name = resolveFileName(path, files)
      if (name === null) return isReader(path, accepts) ? findMissingPage(files) : null
      const reply = files.get(name)?.() ?? null
      if (reply === null) return null
      const unchanged = known !== undefined && reply.headers?.etag === known
      return unchanged ? { ...reply, status: 304, body: '' } : reply
    },
  }
}

type Files = ReadonlyMap<string, () => Reply>

/**
 * The console is read whole, once: a build that comes later has other names, and a server that runs goes on with
 * what it has. A file is hashed when it is first asked for, and not while the server starts. The pages of the docs,
 * which are short, are read when they are asked for.
 */
function readFiles(folder: string): Files {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return new Map(
    names
      .filter((name) => extname(name) !== '')
      .map((name) => {
        const [path, url] = [join(folder, name), toUrlPath(name)]
        if (name.startsWith('docs')) return [url, () => buildFileReply(url, readFileSync(path))]
        const bytes = readFileSync(path)
        let reply: Reply | undefined
        return [url, () => (reply ??= buildFileReply(url, bytes))]
      }),
  )
}

function toUrlPath(name: string): string {
  return `/${name.split(sep).join('/')}`
}

/** A file, the page of a folder, a page without its ending; else, for a page's path, the console. */
function resolveFileName(path: string, files: Files): string | null {
  const bare = path.replace(/\/$/, '')
  const tried = [path, `${bare}.html`, `${bare}/index.html`]
  const found = tried.find((name) => files.has(name))
  return found ?? (isPage(path) ? START : null)
}

/** Names of pages have no ending, though ids behind them may; nothing of the API or the docs is one. */
function isPage(path: string): boolean {
  const [first = ''] = path.slice(1).split('/')
  return !['v1', 'docs', 'assets', 'mcp'].includes(first) && extname(first) === ''
}

/** Whoever follows a link in the docs gets a page; a program gets what every program gets. */
function isReader(path: string, accepts = ''): boolean {
  return path.startsWith('/docs/') && accepts.includes('text/html')
}

function findMissingPage(files: Files): Reply | null {
  const page = files.get(MISSING)?.()
  return page === undefined ? null : { ...page, status: 404 }
}

function stripQuery(url: string): string {
  const [path = '/'] = url.split('?')
  return path
}

function buildFileReply(name: string, bytes: Uint8Array): Reply {
  const forever = name.startsWith(HASHED)
  return {
    status: 200,
    body: bytes,
    headers: {
      ...CONSOLE_HEADERS,
      'content-type': TYPES.get(extname(name)) ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
      ...(forever ? { 'cache-control': 'public, max-age=31536000, immutable' } : {}),
    },
  }
}

const notBuilt: Reply = {
  status: 404,
  body: 'the console is not built here: run `npm run build` in the repository\n',
}
