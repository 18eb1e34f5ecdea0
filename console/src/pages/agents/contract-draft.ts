/** A contract as it is edited: what it was written against, and its version in the text. */
import type { ContractVersion } from 'rubicon-agents/client'

/** What a deployment would replace. */
export function findStanding(versions: readonly ContractVersion[]): ContractVersion | null {
  return versions.find(({ revoked }) => !revoked) ?? null
}

const VERSION_LINE = /^version:[ \t]*(["']?)([0-9]+)\.([0-9]+)\.([0-9]+)[^\s"'#]*\1/m

/** The text with the next minor version; null where its version stands in no line of its own. */
export function raiseVersion(text: string, above: string): string | null {
  const next = toNextVersion(above)
  if (next === null || !VERSION_LINE.test(text)) return null
  return text.replace(VERSION_LINE, () => `version: ${next}`)
}

export function toNextVersion(version: string): string | null {
  const [, major = '', minor = ''] = /^([0-9]+)\.([0-9]+)\.[0-9]+/.exec(version) ?? []
  return major === '' ? null : `${major}.${Number(minor) + 1}.0`
}

const LIMIT = /(?:^|[\s{,])max:[ \t]*["']?(-?[0-9][0-9.]*)/g

/** Where the text says the most of a limit, from the first figure to the last, in the order of the text. */
export function findLimits(text: string): readonly (readonly [from: number, to: number])[] {
  return [...text.matchAll(LIMIT)].map(({ 0: whole, 1: figure = '', index }) => {
    const to = index + whole.length
    return [to - figure.length, to]
  })
}
