/** Looks up every name that is used, once all that is declared is known. */
import { type Binding, MEANING, type NameUse } from './scope.ts'
import type { Walk } from './walk.ts'

export function resolveUses(walk: Walk): void {
  for (const use of walk.uses) {
    const binding = resolveUse(walk, use)
    if (binding === null) continue
    walk.addSite(binding, use.site)
    if (!use.isQualifier && (use.meaning & MEANING.value) !== 0) binding.isPassedOn = true
  }
  refuseImportedHere(walk)
}

/** An ambient module that this same text imports: what it exports has other names here, which are not followed. */
function refuseImportedHere(walk: Walk): void {
  for (const { origin } of walk.bindings) {
    const module = origin === null ? undefined : walk.ambient.get(origin.from)
    if (module === undefined) continue
    const unfit = `the module \`${module.name}\` that declares it is imported in this same text`
    for (const member of module.members?.names.values() ?? []) member.unfit = unfit
    for (const { module: one, use } of walk.ambientUses)
      if (one === module && use.found) use.found.unfit = unfit
  }
}

function resolveUse(walk: Walk, use: NameUse): Binding | null {
  if (use.found !== undefined) return use.found
  // Whoever names itself, as `import a = a.b` does, names nothing.
  use.found = null
  use.found =
    use.of === null ? use.scope.find(use.name, use.meaning) : resolveMember(walk, use, use.of)
  return use.found
}

/** Null: what is before the dot has members that are not told without types. */
function resolveMember(walk: Walk, use: NameUse, of: NameUse): Binding | null {
  let holder = resolveUse(walk, of)
  if (holder === null && of.of === null && of.name === 'globalThis')
    return walk.global.names.get(use.name) ?? null
  for (let steps = 0; holder !== null && holder.members === null && steps < 32; steps += 1) {
    if (holder.origin !== null && holder.origin.name === null)
      walk.foreign.push({ origin: { from: holder.origin.from, name: use.name }, site: use.site })
    if (holder.alias === null) return null
    holder = resolveUse(walk, holder.alias)
  }
  return holder?.members?.names.get(use.name) ?? null
}
