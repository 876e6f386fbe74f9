import { UnstyledButton, type UnstyledButtonProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '#contract/user.ts';
import { initialsOf } from '#web/ui/initials.ts';
import styles from './user-menu.module.css';

type AvatarProps = UnstyledButtonProps &
  Omit<ComponentProps<'button'>, keyof UnstyledButtonProps> & { member: User };

/** The member's initials, as the button of the user menu. */
export function Avatar({ member, ...props }: AvatarProps) {
  const { t } = useTranslation();
  return (
    <UnstyledButton {...props} className={styles.avatar} aria-haspopup="menu">
      {initialsOf(member)}
      <span className="visually-hidden"> {t('nav.account')}</span>
    </UnstyledButton>
  );
}
