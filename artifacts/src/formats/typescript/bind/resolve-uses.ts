/** Looks up every name that is used, once all that is declared is known. */
import { type Binding, MEANING, type NameUse, type Scope } from './scope.ts'
import type { Walk } from './walk.ts'

export function resolveUses(walk: Walk): void {
  for (const { name, scope } of walk.prototypes) {
    const binding = scope.find(name, MEANING.value)
    if (binding !== null) binding.meaning |= MEANING.type
  }
  for (const use of walk.uses) {
    const binding = resolveUse(walk, use)
    if (binding === null) continue
    walk.addSite(binding, use.site)
    if (!use.isQualifier && (use.meaning & MEANING.value) !== 0) binding.isPassedOn = true
  }
  refuseImportedHere(walk)
  refuseDivided(walk)
  refuseDynamic(walk)
}

function refuseDynamic(walk: Walk): void {
  for (const inner of new Set(walk.dynamic))
    for (let scope: Scope | null = inner; scope !== null; scope = scope.parent)
      for (const names of [scope.names, scope.shared?.names ?? []])
        for (const [, binding] of names)
          binding.unfit =
            '`eval` or `with` can name it where nobody sees it before the program runs'
}

/**
 * `catch (a) { var a = 1 }` declares one `a` and gives its value to another: there is no name that would do for both. Past any other
 * scope that has its name, a `var` cannot be declared at all.
 */
function refuseDivided(walk: Walk): void {
  for (const { binding, scope } of walk.hoisted) {
    const near = scope.find(binding.name, MEANING.value)
    if (near === null || near === binding) continue
    near.unfit = 'a `var` of its name is declared where another has that name'
    binding.unfit = near.unfit
    for (const { start } of binding.declarations) walk.divided.add(start)
  }
}

/** An ambient module that this same text imports: what it exports has other names here, which are not followed. */
function refuseImportedHere(walk: Walk): void {
  const imported = [...walk.bindings, ...walk.foreign].map(({ origin }) => origin?.from)
  for (const from of new Set(imported)) {
    const module = from === undefined ? undefined : walk.ambient.get(from)
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
  const member = holder?.members?.names.get(use.name) ?? null
  // A namespace and a value of one name may each have a member of it: an interface is none of a value.
  return member !== null && (member.meaning & use.meaning) === 0 && member.meaning !== 0
    ? null
    : member
}
