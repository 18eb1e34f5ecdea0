/** Tools, files and rules, each by the words that people look for it with. Asked for when somebody begins to type. */
import type { Client } from 'rubicon-agents/client'
import { toVisibleText } from '../parts/visible-text.ts'
import { toArtifactPath } from '../url/artifact-path.ts'
import { toActionPlace, toPoliciesHref, toPolicyPlace, toRulePlace } from '../url/policies-path.ts'
import type { PaletteItem } from './palette-items.ts'

/** What could not be read is not found; the page of it says why. */
export type LoadItems = (client: Client, signal: AbortSignal) => Promise<readonly PaletteItem[]>

export const loadToolItems: LoadItems = async (client, signal) => {
  const answer = await client.listMcpTools({ signal })
  if (!answer.ok) return []
  return answer.body.tools.map(({ server, tool, kind }) => ({
    label: toVisibleText(`${server}/${tool}`),
    hint: 'tool',
    also: `mcp ${kind}`,
    href: `/tools/${encodeURIComponent(server)}/${encodeURIComponent(tool)}`,
  }))
}

/** Of the main trajectory, where files are; other ones are chosen on their page. */
export const loadArtifactItems: LoadItems = async (client, signal) => {
  const answer = await client.listWorldArtifacts({ params: { id: 'main' }, signal })
  if (!answer.ok) return []
  return answer.body.artifacts.map(({ name }) => ({
    label: toVisibleText(name),
    hint: 'artifact',
    also: 'file',
    href: toArtifactPath(name),
  }))
}

/** Policies, their rules, and the actions that they are about: all of them on one page. */
export const loadPolicyItems: LoadItems = async (client, signal) => {
  const answer = await client.getLaw({ signal })
  if (!answer.ok) return []
  const { policies, capabilities } = answer.body
  return [
    ...policies.map(({ name }) => ({
      label: toVisibleText(name),
      hint: 'policy',
      href: toPoliciesHref(toPolicyPlace(name)),
    })),
    ...policies.flatMap(({ name, rules }) =>
      rules.map(({ id }) => ({
        label: toVisibleText(id),
        hint: `rule of the policy ${toVisibleText(name)}`,
        href: toPoliciesHref(toRulePlace(name, id)),
      })),
    ),
    ...capabilities.map(({ kind, effect }) => ({
      label: kind,
      hint: `action, ${effect}`,
      href: toPoliciesHref(toActionPlace(kind)),
    })),
  ].map((item) => ({ ...item, also: 'policies rules in force' }))
}

/** A large table: it is no part of the first page. */
export const loadReasonItems: LoadItems = async () =>
  (await import('./reason-items.ts')).REASON_ITEMS
