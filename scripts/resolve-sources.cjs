/**
 * Loaded into every process that `npm test` starts (`-r`, by NODE_OPTIONS): answers where a module of ours is without
 * looking. Node asks the file system and the manifests around it for each of more than a thousand imports, which is
 * nearly half of what it takes to load the runtime. Between sources of ours the answer stands in the import itself:
 *
 * R1 a relative path that ends in `.ts` is that file, a module with types, when both ends are sources of ours
 * R2 a package has one place for all sources of a workspace: Node is asked once
 * R3 everything else, and everything of `require`, is Node's
 *
 * Plain JavaScript that every Node reads: tests start old ones too.
 */
const nodeModule = require('node:module')
const { resolve, sep } = require('node:path')
const { pathToFileURL } = require('node:url')

const ROOT = pathToFileURL(resolve(__dirname, '..') + sep).href
/** Below the root: nothing there is a link, has a manifest or a `node_modules` of its own. */
const SOURCE = /^[a-z]+\/src\//

/** By workspace and name of what is imported. */
const packages = new Map()

// An old Node has none.
nodeModule.registerHooks?.({
  resolve(specifier, context, nextResolve) {
    const { parentURL, conditions, importAttributes } = context
    const workspace = findWorkspace(parentURL)
    if (workspace === null || !conditions.includes('import')) return nextResolve(specifier, context)
    if (specifier.startsWith('.')) {
      const { href } = new URL(specifier, parentURL)
      if (!specifier.endsWith('.ts') || findWorkspace(href) === null)
        return nextResolve(specifier, context)
      return { url: href, format: 'module-typescript', shortCircuit: true }
    }
    if (Object.keys(importAttributes).length > 0) return nextResolve(specifier, context)
    const key = `${workspace} ${specifier}`
    const known = packages.get(key) ?? nextResolve(specifier, context)
    packages.set(key, known)
    return { ...known, shortCircuit: true }
  },
})

/** Whose source a URL is; null for everything else. */
function findWorkspace(url) {
  if (url === undefined || !url.startsWith(ROOT)) return null
  return SOURCE.exec(url.slice(ROOT.length))?.[0] ?? null
}
