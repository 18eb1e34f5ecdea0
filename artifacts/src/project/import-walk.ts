/** Follows what an artifact exports to everywhere it is imported. */
import {
  EXPORT_EQUALS,
  type ExportLink,
  type ImportLink,
  type WholeLink,
} from '../formats/module-links.ts'
import { ARTIFACT_LIMITS } from '../limits.ts'
import type { Span } from '../text/span.ts'
import type { ParsedText } from '../tree/parsed.ts'
import type { ProjectArtifact } from './artifact.ts'
import { listMembersBehind } from './member-chain.ts'
import { buildModuleGraph } from './module-graph.ts'
import type { Project } from './project.ts'
import { listRawReferences } from './symbol-references.ts'
import { isSame, type Use, type Uses } from './use.ts'

/** What is followed: a name that an artifact exports, and within it the members that lead to the symbol. */
type Way = {
  readonly artifact: string
  readonly chain: readonly string[]
  readonly isAliased: boolean
  /** The symbol's own name, where it is exported without one: who imports it by that name knows it by its own. */
  readonly own: string | null
}

export class ImportWalk {
  readonly #project: Project
  readonly #uses = new Map<string, Use>()
  readonly #unknown = new Map<string, { readonly artifact: string; readonly at: Span }>()
  readonly #exported = new Map<string, { readonly artifact: string; readonly name: string }>()
  readonly #bound = new Set<string>()
  readonly #seen = new Set<string>()
  readonly #open: Way[] = []

  constructor(project: Project) {
    this.#project = project
  }

  /** Who knows it by its own name says so: of two ways to a place, that one counts. */
  add(use: Use): void {
    const key = `${use.artifact}\n${use.at.start}`
    const known = this.#uses.get(key)
    if (known === undefined || (known.isAliased && !use.isAliased)) this.#uses.set(key, use)
  }

  /** What is known by its role already is not known by another. */
  #addNew(use: Use): void {
    if (!this.#uses.has(`${use.artifact}\n${use.at.start}`)) this.add(use)
  }

  bind(artifact: string): void {
    this.#bound.add(artifact)
  }

  follow(
    artifact: string,
    chain: readonly string[],
    isAliased: boolean,
    own: string | null = null,
  ): void {
    const key = [artifact, isAliased, own, ...chain].join('\n')
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    const [name] = chain
    if (!isAliased && name !== undefined && chain.length === 1)
      this.#exported.set(key, { artifact, name })
    this.#open.push({ artifact, chain, isAliased, own })
  }

  run(): void {
    const { importers } = buildModuleGraph(this.#project)
    for (let way = this.#open.pop(); way !== undefined; way = this.#open.pop())
      for (const name of importers.get(way.artifact) ?? []) {
        const importer = this.#project.artifacts.get(name)
        if (importer !== undefined) this.#visit(importer, way)
      }
  }

  finish(): Uses {
    const uses = [...this.#uses.values()].sort(comparePlaces)
    const unknown = [...this.#unknown.values()].sort(comparePlaces)
    return { uses, unknown, exported: [...this.#exported.values()], bound: [...this.#bound] }
  }

  #visit(importer: ProjectArtifact, way: Way): void {
    const { links, name } = importer
    const isOfWay = ({ from }: { readonly from: string | null }): boolean => {
      if (from === null) return false
      const to = this.#project.resolve(name, from)
      return to.kind === 'artifact' && to.artifact === way.artifact
    }
    for (const link of links?.imports.filter(isOfWay) ?? []) this.#visitImport(importer, link, way)
    for (const link of links?.exports.filter(isOfWay) ?? []) this.#visitExport(importer, link, way)
    for (const link of links?.wholes.filter(isOfWay) ?? []) this.#visitWhole(importer, link, way)
  }

  #visitImport(importer: ProjectArtifact, link: ImportLink, way: Way): void {
    const { isAliased, chain } = way
    // What is exported as the module itself is what both of these ask for.
    const isModule = chain[0] === EXPORT_EQUALS && [null, 'default'].includes(link.name)
    const isNamespace = link.name === null && !isModule
    if (!isNamespace && !isModule && link.name !== chain[0]) return
    const rest = isNamespace ? chain : chain.slice(1)
    const isOwn = link.nameSpan === null && link.local === way.own
    if (rest.length === 0) this.#visitName(importer, link, isAliased && !isOwn, isOwn)
    else this.#visitLocal(importer, link, rest, isAliased)
  }

  #visitName(
    importer: ProjectArtifact,
    link: ImportLink,
    isAliased: boolean,
    isOwn: boolean,
  ): void {
    const { name: artifact } = importer
    const { nameSpan, localSpan } = link
    const isOther = isAliased || !(isOwn || isSame(nameSpan, localSpan))
    if (nameSpan !== null) this.add({ artifact, at: nameSpan, role: 'import', isAliased })
    if (!isSame(nameSpan, localSpan))
      this.add({ artifact, at: localSpan, role: 'import', isAliased: isOther })
    if (!isOther) this.bind(artifact)
    this.#visitLocal(importer, link, [], isOther)
  }

  /** Every place at which what was imported is named, and what is taken of it there. */
  #visitLocal(
    importer: ProjectArtifact,
    link: ImportLink,
    rest: readonly string[],
    isAliased: boolean,
  ): void {
    const { name: artifact, parsed, links, format } = importer
    const handed = links?.exports.filter((one) => one.from === null && one.local === link.local)
    for (const { name, nameSpan, localSpan } of handed ?? []) {
      const isOther = rest.length === 0 && !isSame(nameSpan, localSpan)
      if (name !== null) this.#followOn(artifact, [name, ...rest], isAliased || isOther, nameSpan)
      if (rest.length > 0) continue
      if (localSpan !== null) this.add({ artifact, at: localSpan, role: 'export', isAliased })
      if (nameSpan !== null && isOther)
        this.add({ artifact, at: nameSpan, role: 'export', isAliased: true })
    }
    if (parsed === null) return
    // Where documentation names it, it is no reference, but it goes by its name.
    const sites =
      rest.length === 0 ? format?.names?.findSitesAt(parsed, link.localSpan.start) : null
    for (const { start, end } of sites ?? [])
      this.#addNew({ artifact, at: { start, end }, role: 'use', isAliased })
    const isHandedAt = (at: Span): boolean =>
      handed?.some((one) => isSame(at, one.localSpan)) ?? false
    for (const { to, name, at } of listRawReferences(importer)) {
      if (to.kind !== 'import' || to.from !== link.from || isHandedAt(at)) continue
      // A format may say at once what is taken of a module: then that name stands for itself.
      const isTaken = link.name === null && to.name === rest[0] && name === rest[0]
      if (!isTaken && (to.name !== link.name || name !== link.local)) continue
      const left = isTaken ? rest.slice(1) : rest
      this.#addMember(
        { artifact, parsed, at },
        left,
        rest.length === 0 ? 'use' : 'member',
        isAliased,
      )
    }
  }

  /** The place itself, or the member behind it that is meant; none, if another one is. */
  #addMember(
    { artifact, parsed, at }: Placed & { readonly parsed: ParsedText },
    left: readonly string[],
    role: Use['role'],
    isAliased: boolean,
  ): void {
    const members = listMembersBehind(parsed, at, left.length)
    if (members.some((member, i) => member.name !== left[i])) return
    const last = left.length === 0 ? { at } : members[left.length - 1]
    if (last === undefined) this.#unknown.set(`${artifact}\n${at.start}`, { artifact, at })
    else this.add({ artifact, at: last.at, role, isAliased })
  }

  #visitExport(importer: ProjectArtifact, link: ExportLink, way: Way): void {
    const { name: artifact, links } = importer
    const { name, nameSpan, local, localSpan } = link
    const { chain, isAliased } = way
    const [first] = chain
    if (name === null) {
      const isHidden = links?.exports.some((one) => one.name === first) ?? false
      if (first !== 'default' && !isHidden) this.#followOn(artifact, chain, isAliased, null)
      return
    }
    if (local === null) this.#followOn(artifact, [name, ...chain], isAliased, nameSpan)
    if (local !== first) return
    const rest = chain.slice(1)
    const isOther = rest.length === 0 && !isSame(nameSpan, localSpan)
    this.#followOn(artifact, [name, ...rest], isAliased || isOther, nameSpan)
    if (rest.length > 0) return
    if (localSpan !== null) this.add({ artifact, at: localSpan, role: 'export', isAliased })
    if (isOther && nameSpan !== null)
      this.add({ artifact, at: nameSpan, role: 'export', isAliased: true })
  }

  /** A module can export itself within itself, for ever. */
  #followOn(artifact: string, chain: readonly string[], isAliased: boolean, at: Span | null): void {
    if (chain.length <= ARTIFACT_LIMITS.memberChain) this.follow(artifact, chain, isAliased)
    else {
      const place = at ?? { start: 0, end: 0 }
      this.#unknown.set(`${artifact}\n${place.start}`, { artifact, at: place })
    }
  }

  #visitWhole({ name: artifact, parsed }: ProjectArtifact, link: WholeLink, way: Way): void {
    const { taken, at } = link
    if (taken === null || parsed === null) {
      this.#unknown.set(`${artifact}\n${at.start}`, { artifact, at })
      return
    }
    const { chain, isAliased } = way
    for (const one of taken)
      if (one.name === chain[0])
        this.#addMember({ artifact, parsed, at: one.at }, chain.slice(1), 'taken', isAliased)
  }
}

type Placed = { readonly artifact: string; readonly at: Span }

function comparePlaces(one: Placed, other: Placed): number {
  if (one.artifact !== other.artifact) return one.artifact < other.artifact ? -1 : 1
  return one.at.start - other.at.start
}
