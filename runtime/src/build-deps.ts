/** What stands behind every port of an engine: what somebody gave, else what this machine has. */
import { join } from 'node:path'
import { escapeControls } from 'rubicon-kernel'
import { createMemoryBus } from './adapters/memory/bus.ts'
import { createChannels } from './adapters/notify/channels.ts'
import { type NoticeLine, toJsonLine, toReadableLine } from './adapters/notify/log.ts'
import { openCheckpointFolder } from './adapters/system/checkpoint-file.ts'
import { systemClock } from './adapters/system/clock.ts'
import { poolChecker } from './adapters/system/ed25519.ts'
import { createHeadKey } from './adapters/system/head-key.ts'
import { systemRandom } from './adapters/system/random.ts'
import { sha256 } from './adapters/system/sha256.ts'
import { loadSystemTokenizer } from './adapters/system/tokenizer.ts'
import { systemZones } from './adapters/system/zones.ts'
import { type ChannelRules, createMessenger } from './channels/index.ts'
import type { Deps } from './engine/deps.ts'
import { createHeadPlace } from './head-place.ts'
import type { Failpoints } from './ports/failpoint.ts'
import type { Signer } from './ports/signer.ts'
import type { Store } from './ports/store.ts'
import { NO_TELEMETRY } from './ports/telemetry.ts'
import type { RuntimeOptions } from './runtime.ts'

/** What an agent wrote may stand in it: on a terminal it must move no cursor. */
export const toStderr = (line: string): void =>
  void process.stderr.write(`${escapeControls(line)}\n`)
const NOTHING_ARMED: Failpoints = { reach: () => {} }

export type DepsPlace = {
  readonly store: Store
  readonly tenant: string
  /** The state directory. */
  readonly folder: string
}

export function buildDeps(
  options: RuntimeOptions,
  { store, tenant, folder }: DepsPlace,
  book: Deps['book'],
  signer: Signer,
  channelRules: ChannelRules,
): Deps {
  return {
    tenant,
    audience: options.audience ?? 'rubicon',
    store,
    ...(options.manifest === undefined ? {} : { manifest: options.manifest }),
    bus: options.bus ?? createMemoryBus(),
    clock: options.clock ?? systemClock,
    zones: options.zones ?? systemZones,
    random: options.random ?? systemRandom,
    signer,
    headKey: createHeadKey(options.random ?? systemRandom),
    ...createHeadPlace(store, tenant, folder, options.report ?? toStderr),
    checker: options.checker ?? poolChecker,
    sources: options.sources ?? [],
    tokenizer: options.tokenizer ?? loadSystemTokenizer,
    ...(options.contextTokens === undefined ? {} : { contextTokens: options.contextTokens }),
    sinks: options.sinks ?? createSinks(store, folder),
    failpoints: options.failpoints ?? NOTHING_ARMED,
    telemetry: options.telemetry ?? NO_TELEMETRY,
    channels: createChannels(
      options.notifiers ?? {},
      options.report ?? toStderr,
      chooseNoticeLine(options, process.stderr.isTTY),
    ),
    messenger: createMessenger({
      rules: channelRules,
      consoleUrl: options.consoleUrl ?? null,
    }),
    softGuards: options.softGuards ?? [],
    strictSemanticBlocking: options.strict_semantic_blocking ?? false,
    auditors: options.auditors ?? [],
    models: options.models ?? {},
    sha256: options.sha256 ?? sha256,
    book,
    ...(options.acceptRules === undefined ? {} : { acceptRules: options.acceptRules }),
  }
}

/** Where nobody takes the lines, and they come out on a terminal, a person reads them. */
export function chooseNoticeLine(
  { report }: Pick<RuntimeOptions, 'report'>,
  isTerminal: boolean | undefined,
): NoticeLine {
  return report === undefined && isTerminal === true ? toReadableLine : toJsonLine
}

/** What is gone with its process cannot be found to be shorter than it was. */
function createSinks({ name }: Store, folder: string): Deps['sinks'] {
  return name === 'memory' ? [] : [openCheckpointFolder(join(folder, 'checkpoints'))]
}
