/**
 * Workers, and the one place where a text becomes the address of a script. Pages are served with
 * trusted types required: nothing else in the console can do this.
 */
type ScriptPolicy = { createScriptURL(url: string): string }
type TrustedTypes = {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): ScriptPolicy
}

let policy: ScriptPolicy | null = null

function getScriptPolicy(): ScriptPolicy {
  const ours = { createScriptURL: assertSameOrigin }
  policy ??= parseTypes(globalThis)?.createPolicy('rubicon', ours) ?? ours
  return policy
}

/** `url`: what `import url from './x-worker.ts?worker&url'` gives. */
export function startWorker(url: string): Worker {
  return new Worker(getScriptPolicy().createScriptURL(url), { type: 'module' })
}

function assertSameOrigin(url: string): string {
  const whole = new URL(url, location.origin)
  if (whole.origin !== location.origin) throw new TypeError('workers come from this server alone')
  return whole.href
}

function parseTypes(scope: object): TrustedTypes | undefined {
  return 'trustedTypes' in scope ? (scope.trustedTypes as TrustedTypes) : undefined
}
