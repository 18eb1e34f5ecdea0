/**
 * What is answered where no route has the method and the path: a page of the console, that the address is
 * asked in another way, or that nothing is there.
 */
import type { IncomingHttpHeaders } from 'node:http'
import { buildHttpProblem } from '../problems/problem.ts'
import type { Reply, Route } from '../schemas/route.ts'
import { loadOwnStaticFiles } from './static-files.ts'

type Place = { readonly parts: readonly string[]; readonly method: string }

export class NoRoute {
  readonly #places: readonly Place[]

  constructor(routes: readonly Pick<Route, 'path' | 'method'>[]) {
    this.#places = routes.map(({ path, method }) => ({ parts: path.split('/'), method }))
  }

  answer(method: string, url: string, { accept: accepts, ...headers }: IncomingHttpHeaders): Reply {
    const allowed = this.#findMethods(url)
    if (allowed.length > 0) return refuseMethod(allowed)
    const page = loadOwnStaticFiles().find({ url, known: headers['if-none-match'], accepts })
    if (method === 'GET') return page ?? buildHttpProblem('ROUTE_UNKNOWN')
    return page === null || page.status === 404
      ? buildHttpProblem('ROUTE_UNKNOWN')
      : refuseMethod(['GET'])
  }

  #findMethods(url: string): readonly string[] {
    const asked = (url.split('?')[0] ?? '').split('/')
    const here = this.#places.filter(({ parts }) => isAt(parts, asked))
    return [...new Set(here.map(({ method }) => method))]
  }
}

/** `:name` stands for any one part that is not empty. */
function isAt(parts: readonly string[], asked: readonly string[]): boolean {
  if (parts.length !== asked.length) return false
  return parts.every((part, i) => (part.startsWith(':') ? asked[i] !== '' : part === asked[i]))
}

function refuseMethod(methods: readonly string[]): Reply {
  const allow = methods.join(', ')
  const problem = buildHttpProblem('METHOD_NOT_ALLOWED', `it is asked by: ${allow}`)
  return { ...problem, headers: { ...problem.headers, allow } }
}
