import type { NoticeFacts } from '#contract/notices.ts';
import { absenceTexts } from './absence-texts.ts';
import { appealTexts } from './appeal-texts.ts';
import { chatTexts, isAboutChat } from './chat-texts.ts';
import { suspensionTexts } from './decision-texts.ts';

/**
 * The mail of a decision about a member: a suspension, an answered appeal, a long absence, or what concerns
 * the chat.
 */

type Given = { brand: string; site: string; time(iso: string): string };

const textsIn =
  (language: 'en' | 'ko') =>
  (facts: NoticeFacts<'decision'>, given: Given): { subject: string; lines: string[] } => {
    if (isAboutChat(facts)) return chatTexts[language](facts, given);
    if (facts.decision === 'appeal-answered') return appealTexts[language](facts, given);
    if (facts.decision === 'inactive') return absenceTexts[language](facts, given);
    return suspensionTexts[language](facts, given);
  };

export const decisionMails = { en: textsIn('en'), ko: textsIn('ko') };
