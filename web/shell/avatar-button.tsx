import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '#contract/user.ts';
import { initialsOf } from '#web/ui/initials.ts';
import styles from './user-menu.module.css';

type AvatarButtonProps = UnstyledButtonProps &
  Omit<ComponentProps<'button'>, keyof UnstyledButtonProps> & { member: User };

/** The member's initials, as the button of the user menu. */
export function AvatarButton({ member, ...props }: AvatarButtonProps) {
  const { t } = useTranslation();
  return (
    <UnstyledButton {...props} className={styles.avatar} aria-haspopup="menu">
      {initialsOf(member)}
      <span className="visually-hidden"> {t('nav.account')}</span>
    </UnstyledButton>
  );
}
