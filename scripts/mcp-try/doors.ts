/** The ways to the gateway: a program that the client starts, and an address. */
import { askRubicon, RUBICON, type RunningPlace, type TriedPlace } from './place.ts'
import type { McpTarget } from './target.ts'

export type Door = 'http' | 'stdio'

export const DOORS: readonly Door[] = ['stdio', 'http']

export function findDoor(place: TriedPlace, { url }: RunningPlace, door: Door): McpTarget {
  const { mcp, env } = place
  if (door === 'stdio')
    return { kind: 'program', command: process.execPath, args: [RUBICON, 'mcp', ...mcp], env }
  const { token } = JSON.parse(askRubicon(place, ['mcp', 'token', '--json', ...mcp]))
  const headers = { Authorization: `Bearer ${token}` }
  return { kind: 'address', url: new URL('/mcp', url).href, headers }
}
