import type { JsonLimits } from 'rubicon-kernel'

/** What a file may cost. A payload holds several documents, each up to the kernel's own limits. */
export const LINE_LIMITS: JsonLimits = { depth: 128, bytes: 16_777_216, keys: 262_144 }

/** A bundle is one document. */
export const BUNDLE_LIMITS: JsonLimits = { depth: 128, bytes: 268_435_456, keys: 4_194_304 }
