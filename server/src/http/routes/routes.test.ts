import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { nodeCrypto } from 'rubicon-verifier'
import { createPeople } from '../../people/people.ts'
import { prepareRoute } from '../schemas/prepare-route.ts'
import type { Route } from '../schemas/route.ts'
import { served } from '../served.test-support.ts'
import { createAllRoutes } from './all.ts'

/** What takes the thread for a while at the word of an agent: searches, contexts and long texts. */
const HEAVY = [
  'getArtifact',
  'getDocumentOfAgent',
  'listNotes',
  'refreshContext',
  'searchArtifacts',
]

const PAGE = new URL('../../../../docs/spec/http.md', import.meta.url)

test('the page of the specification lists every route, with its roles and its key', async (t) => {
  const { runtime } = await served(t)
  const people = createPeople(() => [], nodeCrypto.sha256)
  const parts = { engine: runtime.engine, people, host: '127.0.0.1', report: () => {} }
  const rows = [
    ...readFileSync(PAGE, 'utf8').matchAll(/^\| (`(?:GET|POST|PUT|DELETE) .+?) \| (.+?) \|/gm),
  ]
  const shown = rows.flatMap(([, names = '', roles = '']) =>
    [...names.matchAll(/`([^`]+)`( †)?/g)].map(([, name, once]) => ({
      name,
      once: once !== undefined,
      roles: roles.split(', with')[0],
    })),
  )
  const routes = createAllRoutes(parts)
  const wanted = routes.map((route) => ({
    name: `${route.method} ${route.path}`,
    once: route.once !== undefined,
    roles: rolesText(route),
  }))
  const byName = (a: Named, b: Named): number => ((a.name ?? '') < (b.name ?? '') ? -1 : 1)
  assert.deepEqual(shown.toSorted(byName), wanted.toSorted(byName))
  const heavy = routes.filter((route) => route.heavy === true).map(({ operation }) => operation)
  assert.deepEqual(heavy.toSorted(), HEAVY)
  for (const route of routes) {
    const { checkQuery, checkBody } = prepareRoute(route)
    assert.ok(Array.isArray(checkQuery({})) && Array.isArray(checkBody({})), route.path)
  }
})

type Named = { readonly name: string | undefined }

function rolesText({ roles }: Route): string {
  if (roles === 'anyone') return roles
  return roles.length === 4 ? 'all' : roles.join(', ')
}
