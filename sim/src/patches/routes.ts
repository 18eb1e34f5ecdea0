/** Mistakes about what agents and operators can do over HTTP. */
import type { Patch } from './patch.ts'

export const ROUTES_PATCHES: readonly Patch[] = [
  {
    name: 'flows-not-closed-over-http',
    findings: ['27a'],
    edits: [
      {
        file: 'runtime/src/server/routes/flow-account.ts',
        function: 'costRoutes',
        before: 'const ended = await engine.close(dfid, sessionOf(principal))',
        after: "const ended = await engine.cancel(dfid, 'done', sessionOf(principal))",
      },
    ],
  },
  {
    name: 'flows-closed-by-anybody',
    findings: ['27a'],
    edits: [
      {
        file: 'runtime/src/server/routes/flow-account.ts',
        function: 'costRoutes',
        before: 'const ended = await engine.close(dfid, sessionOf(principal))',
        after: 'const ended = await engine.close(dfid)',
      },
    ],
  },
]
