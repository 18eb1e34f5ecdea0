/** The packages and the path tables that a project's own config artifacts describe. */
import { isObject, type JsonObject, type JsonValue } from 'rubicon-kernel/canonical'
import type { ProjectArtifact } from './artifact.ts'
import { readConfig } from './config-value.ts'
import { splitSpecifier } from './external-module.ts'
import { listInternalTargets, listPackageTargets, matchPattern } from './package-exports.ts'
import { joinPlace, listFoldersUp, toFolder } from './place.ts'

type PathTable = { readonly folder: string; readonly paths: JsonObject }

export class Packages {
  /** By the folder that they describe. */
  readonly #manifests = new Map<string, JsonObject>()
  readonly #folders = new Map<string, string>()
  readonly #tables = new Map<string, PathTable>()

  constructor(artifacts: Iterable<ProjectArtifact>) {
    for (const artifact of artifacts) this.#add(artifact)
  }

  #add(artifact: ProjectArtifact): void {
    const folder = toFolder(artifact.name)
    const file = artifact.name.slice(folder === '' ? 0 : folder.length + 1)
    if (file !== 'package.json' && file !== 'tsconfig.json') return
    const value = readConfig(artifact)
    if (value === null) return
    if (file === 'tsconfig.json') this.#addTable(folder, value)
    else {
      this.#manifests.set(folder, value)
      const name = value.name
      if (typeof name === 'string') this.#folders.set(name, folder)
    }
  }

  #addTable(folder: string, { compilerOptions }: JsonObject): void {
    if (!isObject(compilerOptions) || !isObject(compilerOptions.paths)) return
    const base = compilerOptions.baseUrl
    const root = joinPlace(folder, typeof base === 'string' ? base : '.')
    if (root !== null) this.#tables.set(folder, { folder: root, paths: compilerOptions.paths })
  }

  /** Places that a specifier without a dot may mean; null: no package and no table of this project knows it. */
  listPlaces(folder: string, specifier: string): readonly string[] | null {
    if (specifier.startsWith('#')) return this.#listInternal(folder, specifier)
    const mapped = this.#listMapped(folder, specifier)
    if (mapped !== null) return mapped
    const { name, subpath } = splitSpecifier(specifier)
    const root = this.#folders.get(name)
    const manifest = root === undefined ? undefined : this.#manifests.get(root)
    if (root === undefined || manifest === undefined) return null
    return toPlaces(root, listPackageTargets(manifest, subpath))
  }

  /** Of the package that the folder lies in, and of no other. */
  #listInternal(folder: string, name: string): readonly string[] {
    const root = listFoldersUp(folder).find((one) => this.#manifests.has(one))
    const manifest = root === undefined ? undefined : this.#manifests.get(root)
    if (root === undefined || manifest === undefined) return []
    return toPlaces(root, listInternalTargets(manifest, name))
  }

  #listMapped(folder: string, specifier: string): readonly string[] | null {
    const nearest = listFoldersUp(folder).find((one) => this.#tables.has(one))
    const table = nearest === undefined ? undefined : this.#tables.get(nearest)
    if (table === undefined) return null
    for (const [pattern, targets] of Object.entries(table.paths)) {
      const within = pattern.includes('*') ? matchPattern(pattern, specifier) : ''
      if (within === null || (!pattern.includes('*') && pattern !== specifier)) continue
      return toPlaces(
        table.folder,
        listTexts(targets).map((one) => one.replaceAll('*', within)),
      )
    }
    return null
  }
}

function toPlaces(folder: string, targets: readonly string[]): readonly string[] {
  return targets.map((target) => joinPlace(folder, target)).filter((place) => place !== null)
}

function listTexts(value: JsonValue): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}
