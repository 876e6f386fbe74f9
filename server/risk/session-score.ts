import type { ScorePart, SessionReason } from '#contract/risk-sessions.ts';

/** The score of a session: the sum of its reasons' points, which an operator reads. */

export type SessionFacts = {
  /** The highest score of the open detections that name the member; null without one. */
  detectionScore: number | null;
  /** The address is one of a VPN, a proxy, Tor or a data centre. */
  isHiddenNetwork: boolean;
  country: string | null;
  /** Those of the member's other sign-ins and devices of the 30 days before. */
  formerCountries: readonly string[];
  /** The member has other devices, and this one came with the session. */
  isNewDevice: boolean;
  /** Password, phone, e-mail or linked login changed within a day of the sign-in. */
  isAfterChange: boolean;
  /** Three members or more used the device at one public address within 30 days. */
  isSharedDevice: boolean;
};

const SCORE_MAX = 100;
const points = {
  'hidden-network': 30,
  'other-country': 20,
  'new-device': 10,
  'account-changed': 20,
  'device-of-several': 20,
} as const satisfies Record<Exclude<SessionReason, 'detection'>, number>;

export function scoreOf(facts: SessionFacts): { score: number; reasons: ScorePart[] } {
  const { country, formerCountries, detectionScore } = facts;
  const holds: Record<keyof typeof points, boolean> = {
    'hidden-network': facts.isHiddenNetwork,
    'other-country': country !== null && formerCountries.length > 0 && !formerCountries.includes(country),
    'new-device': facts.isNewDevice,
    'account-changed': facts.isAfterChange,
    // A detection may have been made of the same device, which would count twice.
    'device-of-several': facts.isSharedDevice && detectionScore === null,
  };
  const reasons: ScorePart[] = [
    ...(detectionScore === null ? [] : [{ reason: 'detection' as const, points: detectionScore }]),
    ...(Object.keys(points) as (keyof typeof points)[])
      .filter((reason) => holds[reason])
      .map((reason) => ({ reason, points: points[reason] })),
  ];
  const sum = reasons.reduce((total, part) => total + part.points, 0);
  return { score: Math.min(sum, SCORE_MAX), reasons };
}
