/**
 * A set of artifacts as one thing. It is a value: a change gives another project, which shares what did not change.
 *
 * J1 what an import means follows from the texts and from what is locked, and from nothing else.
 * J2 an import that means nothing is named, never left out.
 */
import type { Sha256 } from 'rubicon-kernel/canonical'
import type { Format } from '../formats/format.ts'
import { findFormat } from '../formats/formats.ts'
import { type ProjectArtifact, readArtifact } from './artifact.ts'
import {
  type ExternalMention,
  type ExternalModule,
  type FindExternal,
  splitSpecifier,
} from './external-module.ts'
import { findFile } from './find-file.ts'
import { Packages } from './packages.ts'
import { joinPlace, toFolder } from './place.ts'

/** Texts by their names. */
export type ProjectTexts = ReadonlyMap<string, string>

/** New texts by their names; null: it is gone. */
export type ChangeSet = ReadonlyMap<string, string | null>

export type ProjectPorts = {
  readonly sha256: Sha256
  readonly findExternal: FindExternal
  /** Absent: every format that there is. */
  readonly findFormat?: (name: string) => Format | undefined
}

export type Resolved =
  | { readonly kind: 'artifact'; readonly artifact: string }
  | { readonly kind: 'external'; readonly external: ExternalModule }
  | { readonly kind: 'unresolved' }

export class Project {
  readonly artifacts: ReadonlyMap<string, ProjectArtifact>
  readonly ports: ProjectPorts
  readonly #packages: Packages
  readonly #resolved: Map<string, Resolved>

  /** `like`: one that it comes from; what it found out is used where it still holds. */
  constructor(artifacts: readonly ProjectArtifact[], ports: ProjectPorts, like?: Project) {
    const sorted = [...artifacts].sort((a, b) => (a.name < b.name ? -1 : 1))
    this.artifacts = new Map(sorted.map((artifact) => [artifact.name, artifact]))
    this.ports = ports
    const isAlike = like?.ports === ports && isSamePlaces(like.artifacts, this.artifacts)
    this.#packages = isAlike ? like.#packages : new Packages(sorted)
    this.#resolved = isAlike ? like.#resolved : new Map()
  }

  /** What an artifact means by a specifier. */
  resolve(artifact: string, specifier: string): Resolved {
    const folder = toFolder(artifact)
    const key = `${folder}\n${specifier}`
    const known = this.#resolved.get(key)
    if (known !== undefined) return known
    const resolved = this.#resolveAnew(folder, { artifact, from: specifier })
    this.#resolved.set(key, resolved)
    return resolved
  }

  #resolveAnew(folder: string, mention: ExternalMention): Resolved {
    const { from: specifier } = mention
    const has = (name: string): boolean => this.artifacts.has(name)
    const isRelative = /^\.{1,2}(?:\/|$)/.test(specifier)
    const places = isRelative
      ? [joinPlace(folder, specifier)].filter((place) => place !== null)
      : this.#packages.listPlaces(folder, specifier)
    for (const place of places ?? []) {
      const artifact = findFile(place, has)
      if (artifact !== null) return { kind: 'artifact', artifact }
    }
    // A package of this project is never taken from elsewhere.
    if (places !== null) return { kind: 'unresolved' }
    const external = this.ports.findExternal(splitSpecifier(specifier).name, mention)
    return external === null ? { kind: 'unresolved' } : { kind: 'external', external }
  }

  change(changes: ChangeSet): Project {
    const kept = [...this.artifacts.values()].filter(({ name }) => !changes.has(name))
    const put = [...changes].flatMap(([name, text]) =>
      text === null ? [] : [readAgain(this, name, text)],
    )
    return new Project([...kept, ...put], this.ports, this)
  }
}

/** J1: what a specifier means depends on which artifacts there are, and on what the configs among them say. */
function isSamePlaces(
  one: ReadonlyMap<string, ProjectArtifact>,
  other: ReadonlyMap<string, ProjectArtifact>,
): boolean {
  if (one.size !== other.size) return false
  return [...other].every(([name, artifact]) =>
    artifact.format?.type === 'config' ? one.get(name) === artifact : one.has(name),
  )
}

export function createProject(texts: ProjectTexts, ports: ProjectPorts): Project {
  const find = ports.findFormat ?? findFormat
  const artifacts = [...texts].map(([name, text]) => readArtifact(name, text, find(name)))
  return new Project(artifacts, ports)
}

function readAgain({ artifacts, ports }: Project, name: string, text: string): ProjectArtifact {
  const known = artifacts.get(name)
  if (known?.text === text) return known
  return readArtifact(name, text, (ports.findFormat ?? findFormat)(name))
}
