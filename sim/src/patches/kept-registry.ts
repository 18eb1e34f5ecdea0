/** Mistakes about answers of a registry elsewhere: that come in another order than they were asked for, or are recalled. */
import type { Patch } from './patch.ts'

const MANIFEST = 'runtime/src/adapters/registry/http-manifest.ts'
const ORDER = 'server/src/http/routes/registry-order.test.ts'

export const KEPT_REGISTRY_PATCHES: readonly Patch[] = [
  {
    name: 'kept-registry-made-younger-by-the-wall-clock',
    test: {
      file: 'runtime/src/engine/authority/authority-cache.test.ts',
      title:
        'C5: what was answered to this process does not last longer where it is dropped and the wall clock was set back',
    },
    edits: [
      {
        file: 'runtime/src/engine/authority/authority-cache.ts',
        function: '#loadKept',
        before: 'Math.min(this.#clock.monotonic() - age_ms, this.#heardAt)',
        after: 'this.#clock.monotonic() - age_ms',
      },
    ],
  },
  {
    name: 'registry-overtaken-answer-an-outage',
    test: {
      file: ORDER,
      title:
        'an honest registry is not taken for one that forgets where one answer overtakes another',
    },
    edits: [
      {
        file: MANIFEST,
        function: 'openHttpManifest',
        before: 'said < before',
        after: 'said < Math.max(before, head)',
      },
    ],
  },
  {
    name: 'registry-overtaken-answer-kept',
    test: {
      file: ORDER,
      title: 'an answer that was overtaken does not take away what was kept of the later one',
    },
    edits: [
      {
        file: MANIFEST,
        function: 'openHttpManifest',
        before: 'said >= head',
        after: 'said >= -1',
      },
    ],
  },
  {
    name: 'kept-registry-page-behind-a-gap',
    test: {
      file: 'runtime/src/adapters/registry/kept-pages.test.ts',
      title:
        'a look at the end of a long registry does not keep the pages before it from being kept',
    },
    edits: [
      {
        file: 'runtime/src/adapters/registry/kept-pages.ts',
        function: 'keep',
        before: '(from <= this.#last + 1 && last > this.#last)',
        after: 'last > this.#last',
      },
    ],
  },
  {
    name: 'kept-registry-of-another-tenant',
    test: {
      file: 'server/src/cli/up-registry.test.ts',
      title: 'what one tenant is told by its registry is not kept over what another one is told',
    },
    edits: [
      {
        file: 'server/src/cli/registry-option.ts',
        function: 'parseRegistryOptions',
        before: 'join(state, KEPT, toTenantFileName(tenant))',
        after: 'join(state, KEPT)',
      },
    ],
  },
]
